import { expect, it } from "vitest";
import { bufferSource } from "../../../testing/files/buffer-source.ts";
import { mediaTypeOf, RTF_TYPE } from "../media-type.ts";
import { extractText } from "./extract-text.ts";

const read = async (rtf: string) => {
  const bytes = Buffer.from(rtf, "latin1");
  const type = await mediaTypeOf(bufferSource(bytes), "letter.rtf");
  expect(type).toBe(RTF_TYPE);
  return extractText(bytes, RTF_TYPE);
};
const textOf = async (content: string) => (await read(String.raw`{\rtf1\ansi\ansicpg1252 ${content}}`)).text;

it("a file of RTF has a line for a paragraph, without codes and fonts", async () => {
  const fonts = String.raw`{\fonttbl{\f0\fswiss Arial;}}{\colortbl;\red1;}{\stylesheet{\s0 Normal;}}{\*\generator Word;}`;
  const body = String.raw`\f0 Hello \b bold\b0  caf\'e9\par \{a\\b\}\tab x\emdash y\line z`;
  expect(await textOf(fonts + body)).toBe("Hello bold café\n{a\\b}\tx—y\nz");
});

it("a file of RTF has Unicode characters instead of their fallbacks", async () => {
  expect(await textOf(String.raw`\u8364?\u8364\'80 5 \uc2\u-10179??\u-8704??{\uc0\u228}b`)).toBe("€€ 5 😀äb");
});

it("a file of RTF has bytes in the encoding of their font", async () => {
  const fonts = String.raw`{\fonttbl{\f0\fcharset204 A;}{\f1\fcharset128 B;}{\f2\fcharset0 C;}}`;
  const body = String.raw`\f0\'cf\'f0\'e8{\f1 \'90\'bf\'8b\'81}\'ec \f2\'e9`;
  expect(await textOf(fonts + body)).toBe("При請求м é");
});

it("a file of RTF has a line for a row of a table, and notes in brackets", async () => {
  const row = String.raw`\trowd\intbl a\cell b\cell\row `;
  const note = String.raw`Text{\footnote\pard A note\par} on`;
  expect(await textOf(row + note)).toBe("a\tb\nText [A note ] on");
  expect(await textOf(String.raw`Text{\super 1{\*\footnote 1 A note}} on`)).toBe("Text1 [1 A note] on");
});

it("a file of RTF has its header, fields, shapes and numbers of lists", async () => {
  const body = String.raw`{\header Invoice 7\par}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\par {\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt box\par}}{\shprslt old}}{\listtext 1.\tab}first`;
  expect(await textOf(body)).toBe("Invoice 7\nlink\nbox\n1.\tfirst");
});

it("a file of RTF has no pictures, comments, hidden or deleted text", async () => {
  const body = String.raw`a{\pict 0f0f}{\*\annotation gone}{\v gone}{\deleted gone}{\bin5 }}}}}b\v gone\v0 c`;
  expect(await textOf(body)).toBe("abc");
});

it("M4 ends a file of RTF that is nested too deep, and reads one that is cut off", async () => {
  expect(await read(`{\\rtf1 ${"{".repeat(100_000)}`)).toEqual({ text: "", remark: "too-complex" });
  expect(await read(String.raw`{\rtf1 a{\b b\'`)).toEqual({ text: "ab" });
  expect((await read(`{\\rtf1 ${"a\\par ".repeat(600_000)}`)).remark).toBe("cut");
});
