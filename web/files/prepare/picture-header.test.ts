import { expect, test } from "vitest";
import { readPictureHeader } from "./picture-header.ts";

const read = (bytes: string) => readPictureHeader(new Blob([Uint8Array.from(bytes, (each) => each.charCodeAt(0))]));
const webp = (flags: number) => `RIFF----WEBPVP8X----${String.fromCharCode(flags)}`;

test.each([
  ["GIF", "GIF89a", { isAnimated: true, hasMetadata: false, isHeic: false }],
  ["WebP without features", "RIFF----WEBPVP8 ", { isAnimated: false, hasMetadata: false, isHeic: false }],
  ["animated WebP", webp(0x02), { isAnimated: true, hasMetadata: false, isHeic: false }],
  ["WebP with EXIF", webp(0x08), { isAnimated: false, hasMetadata: true, isHeic: false }],
  ["WebP with XMP and transparency", webp(0x14), { isAnimated: false, hasMetadata: true, isHeic: false }],
  ["WebP with transparency", webp(0x10), { isAnimated: false, hasMetadata: false, isHeic: false }],
  ["PNG", "\u0089PNG----IHDR----IDAT", { isAnimated: false, hasMetadata: false, isHeic: false }],
  ["animated PNG", "\u0089PNG----IHDR----acTL", { isAnimated: true, hasMetadata: false, isHeic: false }],
  ["PNG with EXIF", "\u0089PNG----IHDR----eXIf", { isAnimated: false, hasMetadata: true, isHeic: false }],
  ["JPEG", "\u00ff\u00d8\u00ff\u00e0--JFIF\0", { isAnimated: false, hasMetadata: false, isHeic: false }],
  ["JPEG with EXIF", "\u00ff\u00d8\u00ff\u00e1--Exif\0\0", { isAnimated: false, hasMetadata: true, isHeic: false }],
  ["HEIC", "\0\0\0\u0018ftypheic\0\0\0\0mif1heic", { isAnimated: false, hasMetadata: false, isHeic: true }],
  ["HEIC of several pictures", "\0\0\0\u0018ftypmif1", { isAnimated: false, hasMetadata: false, isHeic: true }],
  ["AVIF", "\0\0\0\u0018ftypavif", { isAnimated: false, hasMetadata: false, isHeic: false }],
])("reads the header of a picture: %s", async (_, bytes, header) => {
  expect(await read(bytes)).toEqual(header);
});
