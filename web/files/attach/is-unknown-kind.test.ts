import { expect, test } from "vitest";
import { isUnknownKind } from "./is-unknown-kind.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const file = (name: string, content: string) => new File([bytesOf(content)], name);
const ZIP = "PK\x03\x04\x14\0\0\0";

test.each([
  ["program.exe", "MZ\x90\0\x03\0"],
  ["song.mp3", "ID3\x04\0\0"],
  ["sound.wav", "RIFF\0\0\0\0WAVEfmt "],
  ["photos.zip", `${ZIP}photos/1.jpg`],
  ["notes.txt", "MZ\x90\0\x03\0"],
  ["old.doc", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"],
])("a file that no model receives is of an unknown kind: %s", async (name, content) => {
  expect(await isUnknownKind(file(name, content))).toBe(true);
});

test.each([
  ["photo.jpg", "\xFF\xD8\xFF\xE0\0\x10JFIF"],
  ["screen.png", "\x89PNG\r\n\x1A\n\0\0\0\rIHDR"],
  ["drawn.gif", "GIF89a\0\0"],
  ["photo.webp", "RIFF\0\0\0\0WEBPVP8 "],
  ["IMG_1.heic", "\0\0\0\x10ftypheic\0\0\0\0"],
  ["scan.tiff", "II*\0\x08\0"],
  ["screen.bmp", "BM\x8A\xC8\0\0\0\0\0\0"],
  ["report.pdf", "%PDF-1.7\n\0"],
  ["report.docx", `${ZIP}_rels/.rels`],
  ["renamed.bin", `${ZIP}[Content_Types].xml`],
  ["encrypted.xlsx", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"],
  ["letter.odt", `${ZIP}mimetypeapplication/vnd.oasis.opendocument.text`],
  ["sheet.ods", `${ZIP}mimetypeapplication/vnd.oasis.opendocument.spreadsheet`],
  ["slides.odp", `${ZIP}mimetypeapplication/vnd.oasis.opendocument.presentation`],
  ["novel.epub", `${ZIP}META-INF/container.xml`],
  ["renamed.book", `${ZIP}mimetypeapplication/epub+zip`],
  ["letter.eml", "From: a@example.com\r\n\r\n\0"],
  ["notes", "Words without any type"],
  ["utf16.txt", "\xFF\xFEW\0o\0"],
])("a file that the server may accept, or the browser convert, is of a known kind: %s", async (name, content) => {
  expect(await isUnknownKind(file(name, content))).toBe(false);
});
