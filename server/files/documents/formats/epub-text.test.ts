import { expect, it } from "vitest";
import { bufferSource } from "../../../../testing/files/buffer-source.ts";
import { epubOf, zipOf } from "../../../../testing/files/documents.ts";
import { EPUB_TYPE, mediaTypeOf } from "../../media-type.ts";
import { extractText } from "../extract-text.ts";

const read = async (bytes: Uint8Array) => {
  expect(await mediaTypeOf(bufferSource(Buffer.from(bytes)), "Novel.epub")).toBe(EPUB_TYPE);
  return extractText(bytes, EPUB_TYPE);
};
const textOf = async (bytes: Uint8Array) => (await read(bytes)).text;
const page = (body: string) =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;
const encryptionOf = (path: string) =>
  `<encryption><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`;

it("a book has its documents in the order of its spine, not of their names", async () => {
  const book = epubOf({
    "b.xhtml": page("<h1>First</h1><p>It was a <i>dark</i>&nbsp;night&#x2026;</p><p>And&eacute;<br/>then</p>"),
    "a.xhtml": page('<h2 id="x">Second<a id="y"/></h2><ul><li>One</li><li>Two</li></ul><script>no</script>'),
  });
  expect(await textOf(book)).toBe("# First\nIt was a dark night…\nAndé\nthen\n\n## Second\n- One\n- Two");
});

it("a chapter of a book without a heading has its title of the table of contents", async () => {
  const documents = { "one.xhtml": page("<p>Words</p>"), "two.xhtml": page("<h1>Own</h1><p>More</p>") };
  const points = `<navPoint><navLabel><text>Chapter
 One</text></navLabel><content src="one.xhtml#start"/><navPoint><navLabel><text>Inner</text></navLabel><content src="one.xhtml#b"/></navPoint></navPoint><navPoint><navLabel><text>Chapter Two</text></navLabel><content src="two.xhtml"/></navPoint>`;
  const ncx = `<ncx><docTitle><text>Novel</text></docTitle><navMap>${points}</navMap><pageList><pageTarget><navLabel><text>9</text></navLabel><content src="one.xhtml"/></pageTarget></pageList></ncx>`;
  const text = "# Chapter One\nWords\n\n# Own\nMore";
  expect(await textOf(epubOf(documents, { ncx }))).toBe(text);
  const nav = `<html><body><nav epub:type="landmarks"><a href="one.xhtml">Begin</a></nav><nav epub:type="toc"><ol><li><a href="one.xhtml">Chapter <b>One</b></a></li></ol></nav></body></html>`;
  expect(await textOf(epubOf(documents, { nav }))).toBe(text);
  expect(await textOf(epubOf(documents, { nav: `${nav}<a href="` }))).toBe(text);
});

it("paths of a book are relative to its package and may be percent-encoded", async () => {
  const book = epubOf({ "Text/chapter%20one.xhtml": page("<p>Words</p>") }, { folder: "OEBPS/" });
  expect(await textOf(book)).toBe("Words");
});

it("a book without a package has its documents in the order of their names", async () => {
  const documents = Object.fromEntries([10, 9, 1].map((n) => [`c${n}.xhtml`, page(`<p>Chapter ${n}</p>`)]));
  expect(await textOf(zipOf({ mimetype: EPUB_TYPE, ...documents }))).toBe("Chapter 1\n\nChapter 9\n\nChapter 10");
});

it("a book whose chapters are encrypted is encrypted, one with encrypted fonts is not", async () => {
  const documents = { "one.xhtml": page("<p>Words</p>"), "two words.xhtml": "\u0001\u0002" };
  const more = (path: string) => ({ folder: "OEBPS/", more: { "META-INF/encryption.xml": encryptionOf(path) } });
  expect(await read(epubOf(documents, more("OEBPS/two%20words.xhtml")))).toEqual({ text: "", remark: "encrypted" });
  expect(await textOf(epubOf(documents, more("OEBPS/font.otf")))).toContain("Words");
});

it("a file that is no book is damaged", async () => {
  expect(await read(zipOf({ mimetype: EPUB_TYPE }))).toEqual({ text: "", remark: "broken" });
  expect(await extractText(Buffer.from("no archive"), EPUB_TYPE)).toEqual({ text: "", remark: "broken" });
  const renamed = zipOf({ "META-INF/container.xml": "", "a.html": page("<p>Words</p>") });
  expect(await textOf(renamed)).toBe("Words");
});

it("M4 a book that is a bomb, or nested too deep, ends within its limits, and a long one is cut", async () => {
  expect(await read(epubOf({ "a.xhtml": "a".repeat(30_000_000) }))).toEqual({ text: "", remark: "too-complex" });
  expect(await read(epubOf({ "a.xhtml": page("<b>".repeat(200_000)) }))).toEqual({ text: "", remark: "too-complex" });
  const laughs = `<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${page("<p>&b;</p>")}`;
  expect(await textOf(epubOf({ "a.xhtml": laughs }))).toBe("&b;");
  const words = Array.from({ length: 20 }, (_, at) => [`${at}.xhtml`, page(`<p>${`${at} `.repeat(40_000)}</p>`)]);
  expect(await read(epubOf(Object.fromEntries(words)))).toMatchObject({ remark: "cut" });
});
