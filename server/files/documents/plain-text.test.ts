import { describe, expect, it } from "vitest";
import { BrokenDocument } from "./document-text.ts";
import { readPlainText } from "./plain-text.ts";

const TEXT = "Fjörd 😀\n";
const utf16 = (text: string) => Buffer.from(text, "utf16le");

describe("plain texts", () => {
  it.each([
    ["UTF-8", Buffer.from(TEXT)],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${TEXT}`)],
    ["UTF-16 from the low byte with a byte order mark", utf16(`\uFEFF${TEXT}`)],
    ["UTF-16 from the high byte with a byte order mark", utf16(`\uFEFF${TEXT}`).swap16()],
    ["UTF-16 from the low byte", utf16(TEXT)],
    ["UTF-16 from the high byte", utf16(TEXT).swap16()],
  ])("decodes a text in %s", (_, bytes) => {
    expect(readPlainText(bytes)).toBe(TEXT);
  });

  it("decodes a text that is no UTF-8 as Windows-1252", () => {
    expect(readPlainText(Buffer.from("46f672642080", "hex"))).toBe("Förd €");
  });

  it("decodes UTF-8 with one damaged sequence as UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from("ö".repeat(20)), Buffer.from([0xc3])]);
    expect(readPlainText(bytes)).toBe(`${"ö".repeat(20)}\uFFFD`);
  });

  it("leaves a text of markup as it is", () => {
    const html = "<!doctype html><script>alert(1)</script>&amp;";
    expect(readPlainText(Buffer.from(html))).toBe(html);
  });

  it("refuses a file with a NUL as no text", () => {
    expect(() => readPlainText(Buffer.from("a\0b"))).toThrow(BrokenDocument);
    expect(() => readPlainText(Buffer.from("\uFEFFa\0b", "utf16le"))).toThrow(BrokenDocument);
  });

  it("reads an empty file as an empty text", () => {
    expect(readPlainText(new Uint8Array())).toBe("");
  });
});
