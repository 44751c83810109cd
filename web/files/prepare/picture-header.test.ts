import { expect, test } from "vitest";
import { readPictureHeader } from "./picture-header.ts";

const read = (bytes: string) => readPictureHeader(new Blob([Uint8Array.from(bytes, (each) => each.charCodeAt(0))]));
const webp = (flags: number) => `RIFF----WEBPVP8X----${String.fromCharCode(flags)}`;
const [still, animated, tagged] = [
  { isAnimated: false, hasMetadata: false },
  { isAnimated: true, hasMetadata: false },
  { isAnimated: false, hasMetadata: true },
];

test.each([
  ["GIF", "GIF89a", { kind: "GIF", ...animated }],
  ["WebP without features", "RIFF----WEBPVP8 ", { kind: "WebP", ...still }],
  ["animated WebP", webp(0x02), { kind: "WebP", ...animated }],
  ["WebP with EXIF", webp(0x08), { kind: "WebP", ...tagged }],
  ["WebP with XMP and transparency", webp(0x14), { kind: "WebP", ...tagged }],
  ["WebP with transparency", webp(0x10), { kind: "WebP", ...still }],
  ["PNG", "\u0089PNG----IHDR----IDAT", { kind: "PNG", ...still }],
  ["animated PNG", "\u0089PNG----IHDR----acTL", { kind: "PNG", ...animated }],
  ["PNG with EXIF", "\u0089PNG----IHDR----eXIf", { kind: "PNG", ...tagged }],
  ["JPEG", "\u00ff\u00d8\u00ff\u00e0--JFIF\0", { kind: "JPEG", ...still }],
  ["JPEG with EXIF", "\u00ff\u00d8\u00ff\u00e1--Exif\0\0", { kind: "JPEG", ...tagged }],
])("reads the header of a picture: %s", async (_, bytes, header) => {
  expect(await read(bytes)).toMatchObject(header);
});

test.each([
  ["HEIC", "\0\0\0\u0018ftypheic\0\0\0\0mif1heic"],
  ["HEIC", "\0\0\0\u0010ftypmif1\0\0\0\0"],
  ["AVIF", "\0\0\0\u0018ftypavif\0\0\0\0mif1avif"],
  ["AVIF", "\0\0\0\u0018ftypmif1\0\0\0\0miafavif"],
  ["CR3", "\0\0\0\u0014ftypcrx \0\0\0\u0001crx "],
  ["BMP", "BM\u008a\u00c8\0\0\0\0\0\0\u008a\0\0\0"],
  ["ICO", "\0\0\u0001\0\u0001\0\u0010\u0010"],
  ["TIFF", "II*\0\u0008\0\0\0"],
  ["TIFF", "MM\0*\0\0\0\u0008"],
  ["JPEG XL", "\u00ff\u000a\u00fa\u0001\0"],
  ["JPEG XL", "\0\0\0\u000cJXL \u000d\u000a\u0087\u000a"],
  ["JPEG 2000", "\0\0\0\u000cjP  \u000d\u000a\u0087\u000a"],
  ["PSD", "8BPS\0\u0001"],
  [null, "\0\0\0\u0018ftypisom\0\0\0\0mp42\0\0"],
  [null, "\0\0\0\u0014ftypM4A \0\0\0\0M4A heic"],
  [null, "BM is a place name in some list of words.\0"],
  [null, "RIFF----WAVEfmt \0"],
])("recognises a picture by its first bytes, whatever its name is: %s", async (kind, bytes) => {
  expect(await read(bytes)).toMatchObject({ kind, isText: false });
});

test("a file without NUL may be a text", async () => {
  expect(await read("<svg xmlns='http://www.w3.org/2000/svg'/>")).toMatchObject({ kind: null, isText: true });
});
