import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { loopIterations } from "../../../testing/app/loop-iterations.ts";
import { SLICE_CHARS, textStream } from "./text-stream.ts";

async function* iterate(...pieces: string[]) {
  yield* pieces;
}

it("joins short pieces of text, because each write has a cost", async () => {
  expect(await textStream(iterate("a", "", "b")).toArray()).toEqual(["ab"]);
  expect(await textStream(iterate("")).toArray()).toEqual([]);
  const many = Array.from({ length: 10_000 }, (_, at) => `piece ${at} `.padEnd(100));
  const joined = await textStream(iterate(...many)).toArray();
  expect(joined.join("")).toBe(many.join(""));
  expect(joined.length).toBeLessThan(20);
});

it("K1 cuts a long piece between characters, and yields to the event loop after each slice", async () => {
  const piece = `a${"👍".repeat(SLICE_CHARS * 2)}`;
  const { result: slices, iterations } = await loopIterations(() => textStream(iterate(piece)).toArray());
  expect(slices.join("")).toBe(piece);
  expect(slices).toHaveLength(5);
  for (const slice of slices) {
    expect(slice.length).toBeLessThanOrEqual(SLICE_CHARS);
    expect(slice.isWellFormed()).toBe(true);
  }
  expect(iterations).toBeGreaterThanOrEqual(4);
});

it("an error of the pieces reaches the reader of the stream", async () => {
  async function* failing() {
    yield "a";
    throw new Error("the database is away");
  }
  await expect(text(textStream(failing()))).rejects.toThrow("the database is away");
});
