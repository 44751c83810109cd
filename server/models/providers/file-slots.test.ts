import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { SampleFile } from "../../../testing/provider/prompt-files.ts";
import { FileSlots, type StreamedBody } from "./file-slots.ts";

const KIB = 1024;
const facts = { name: "a.pdf", type: "application/pdf", kind: "pdf" } as const;

/** Returns a file that is read in chunks of the given sizes. */
function chunkedFile(sizes: readonly number[], declared?: number): { file: SampleFile; bytes: Buffer } {
  const chunks = sizes.map((size) => randomBytes(size));
  const bytes = Buffer.concat(chunks);
  return { file: new SampleFile({ ...facts, size: declared ?? bytes.length }, () => chunks), bytes };
}

function streamed(body: string | StreamedBody): StreamedBody {
  if (typeof body === "string") throw new Error("The body is not streamed");
  return body;
}

/** Encodes a body with one file. */
function bodyOf(file: SampleFile): StreamedBody {
  const slots = new FileSlots();
  return streamed(slots.encode({ data: slots.base64(file) }));
}

test("a body without files is plain JSON", () => {
  const body = { model: "m", messages: [{ role: "user", content: "Hi: “ü”" }] };
  expect(new FileSlots().encode(body)).toBe(JSON.stringify(body));
});

test("a body with files is JSON with their base64 in its places, of the announced length", async () => {
  const [one, two] = [chunkedFile([1]), chunkedFile([50_000, 50_000])];
  const slots = new FileSlots();
  const first = slots.dataUrl(one.file);
  const second = slots.base64(two.file);
  const body = streamed(slots.encode({ second, text: "“ü” 日本\n\u2028", first, again: 7 }));
  const sent = await buffer(body.open());
  expect(sent.length).toBe(body.length);
  expect(JSON.parse(sent.toString())).toEqual({
    second: two.bytes.toString("base64"),
    text: "“ü” 日本\n\u2028",
    first: `data:application/pdf;base64,${one.bytes.toString("base64")}`,
    again: 7,
  });
});

test.each([
  ["of one byte each", Array.from({ length: 10 }, () => 1)],
  ["that are no multiples of three", [1, 2, 100_000, 48 * KIB - 1, 2, 5]],
  ["of whole pieces", [48 * KIB, 96 * KIB]],
  ["with empty ones", [0, 5, 0]],
  ["of none", []],
])("base64 does not depend on the chunks of a file: %s", async (_, sizes) => {
  const { file, bytes } = chunkedFile(sizes);
  const { length, open } = bodyOf(file);
  const sent = await buffer(open());
  expect([sent.toString(), sent.length]).toEqual([JSON.stringify({ data: bytes.toString("base64") }), length]);
});

test("a body is read anew for each request", async () => {
  const { file } = chunkedFile([100_000]);
  const body = bodyOf(file);
  expect(await buffer(body.open())).toEqual(await buffer(body.open()));
  expect([file.opened, file.closed]).toEqual([2, 2]);
});

describe("memory of bodies with files", () => {
  test("a file of 20 MB is sent in pieces of at most 64 KiB, and read just ahead of them", async () => {
    const chunk = Buffer.alloc(256 * KIB, 7);
    const size = 80 * chunk.length;
    const file = new SampleFile({ ...facts, size }, () => Array.from({ length: 80 }, () => chunk));
    const body = bodyOf(file);
    let [sent, largest, furthestAhead] = [0, 0, 0];
    for await (const piece of body.open()) {
      sent += piece.length;
      largest = Math.max(largest, piece.length);
      furthestAhead = Math.max(furthestAhead, file.read - (sent / 4) * 3);
    }
    expect([sent, largest]).toEqual([body.length, 64 * KIB]);
    expect(furthestAhead).toBeLessThanOrEqual(chunk.length);
  });

  test("a long text is sent in pieces too", async () => {
    const { file, bytes } = chunkedFile([10]);
    const slots = new FileSlots();
    const text = "x".repeat(300_000);
    const body = streamed(slots.encode({ text, data: slots.base64(file) }));
    const pieces: Uint8Array[] = [];
    for await (const piece of body.open()) pieces.push(piece);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(64 * KIB);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ text, data: bytes.toString("base64") });
  });
});

describe("files whose bytes differ from those of the prompt", () => {
  test.each([
    ["more", [100_000, 1], 100_000],
    ["fewer", [100_000], 100_001],
  ])("a file with %s bytes fails the body, as no fault of the provider", async (_, sizes, declared) => {
    const { file } = chunkedFile(sizes, declared);
    await expect(buffer(bodyOf(file).open())).rejects.toMatchObject({
      code: "assistant-failed",
      providerCode: "file_unreadable",
      trouble: "prompt",
    });
    expect(file.closed).toBe(1);
  });

  test("a file with more bytes is never sent beyond the announced length", async () => {
    const { file } = chunkedFile([48 * KIB, 48 * KIB], 48 * KIB);
    const body = bodyOf(file);
    let sent = 0;
    const reading = async () => {
      for await (const piece of body.open()) sent += piece.length;
    };
    await expect(reading()).rejects.toThrow();
    expect(sent).toBeLessThan(body.length);
  });

  test("a file that cannot be read fails the body with the cause", async () => {
    const cause = new Error("gone");
    const file = new SampleFile({ ...facts, size: 10 }, async function* () {
      yield Buffer.alloc(5);
      throw cause;
    });
    await expect(buffer(bodyOf(file).open())).rejects.toMatchObject({ providerCode: "file_unreadable", cause });
  });
});

test("a body that is not read to its end closes its file", async () => {
  const { file } = chunkedFile(Array.from({ length: 100 }, () => 48 * KIB));
  for await (const piece of bodyOf(file).open()) if (piece.length > 1000) break;
  expect([file.opened, file.closed]).toEqual([1, 1]);
  expect(file.read).toBeLessThan(file.size / 2);
});
