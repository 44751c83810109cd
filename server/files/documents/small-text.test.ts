import { expect, it } from "vitest";
import { loopIterations } from "../../../testing/app/loop-iterations.ts";
import { bufferSource } from "../../../testing/files/buffer-source.ts";
import { isSmallText, readSmallText } from "./small-text.ts";

const KB = 1024;
const sourceOf = (bytes: Uint8Array | string) => bufferSource(Buffer.from(bytes));

it("decodes texts of up to 64 kB in the process of the server, and no other documents", () => {
  const limit = sourceOf(Buffer.alloc(64 * KB, "a"));
  for (const type of ["text/plain", "text/csv", "text/html", "text/markdown"])
    expect(isSmallText(limit, type)).toBe(true);
  expect(isSmallText(limit, "application/pdf")).toBe(false);
  expect(isSmallText(sourceOf(Buffer.alloc(64 * KB + 1, "a")), "text/plain")).toBe(false);
});

it("returns well-formed text", async () => {
  expect(await readSmallText(sourceOf(Buffer.from("\uFEFFa\uD800b", "utf16le")))).toEqual({ text: "a\uFFFDb" });
  expect(await readSmallText(sourceOf("Fjörd 😀\n"))).toEqual({ text: "Fjörd 😀\n" });
  expect(await readSmallText(sourceOf(""))).toEqual({ text: "" });
});

it("returns no text of a file with a NUL, and reports a file that is shorter than its size", async () => {
  expect(await readSmallText(sourceOf("a\0b"))).toEqual({ text: "", remark: "broken" });
  const short = { ...sourceOf("a"), size: 2 };
  await expect(readSmallText(short)).rejects.toThrow("shorter");
});

it("decodes each of many texts in an iteration of the event loop of its own", async () => {
  const sources = Array.from({ length: 20 }, () => sourceOf(Buffer.alloc(KB, 0xe4)));
  const { iterations } = await loopIterations(async () => {
    for (const source of sources) await readSmallText(source);
  });
  expect(iterations).toBeGreaterThanOrEqual(sources.length);
});
