import { zipSync } from "fflate";
import type { PictureType } from "#contract/files/files.ts";
import { alphaWebp, canvasJpeg, canvasPng, losslessWebp, lossyWebp } from "./canvas-pictures.ts";
import {
  GIF_TRAILER,
  gifExtension,
  gifHeader,
  gifPixel,
  jpegSegment,
  PNG_SIGNATURE,
  pngChunk,
  pngFrame,
  riffChunk,
  webpChunks,
  webpFrame,
  webpHeader,
  webpOf,
} from "./picture-encoders.ts";

/** Text in all metadata of the pictures here, and nowhere else in them. */
export const METADATA_MARKER = "Ada-Lovelace-Camera-4711";
/** Latitude of 52° 31′ 12.34″ as it is in the EXIF metadata of the pictures here. */
export const GPS_LATITUDE = Buffer.from(Uint32Array.of(52, 1, 31, 1, 1234, 100).buffer);

/** A picture with metadata wherever its format allows it, and the same picture without. Dimensions in pixels. */
export type TaggedPicture = {
  name: string;
  type: PictureType;
  tagged: Buffer;
  /** The file without metadata. */
  clean: Buffer;
  width: number;
  height: number;
};

/**
 * Returns EXIF metadata, from the TIFF header on: a camera with the marker, a location, and an orientation (1 to 8), if
 * there is one.
 */
export function exifOf(orientation: number | null = null): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const directory = (...entries: Buffer[]) =>
    Buffer.concat([Buffer.from([entries.length, 0]), ...entries, Buffer.alloc(4)]);
  const camera = Buffer.from(`${METADATA_MARKER}\0`);
  const count = orientation === null ? 2 : 3;
  const cameraAt = 8 + 2 + count * 12 + 4;
  const locationAt = cameraAt + camera.length;
  const latitudeAt = locationAt + 2 + 2 * 12 + 4;
  return Buffer.concat([
    Buffer.from("II*\0\x08\0\0\0", "latin1"),
    directory(
      entry(0x010f, 2, camera.length, cameraAt),
      ...(orientation === null ? [] : [entry(0x0112, 3, 1, orientation)]),
      entry(0x8825, 4, 1, locationAt),
    ),
    camera,
    directory(entry(1, 2, 2, "N".charCodeAt(0)), entry(2, 5, 3, latitudeAt)),
    GPS_LATITUDE,
  ]);
}

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><creator>${METADATA_MARKER}</creator></x:xmpmeta>`;

/** A zip archive as it is appended to pictures to make a file that is both. */
export const appendedZip = (): Buffer =>
  Buffer.from(zipSync({ "note.txt": Buffer.from(METADATA_MARKER) }, { level: 0 }));

/** Returns pictures of all formats, still and animated, with metadata. Those of JPEG, PNG and WebP are of 13 × 7 pixels. */
export function taggedPictures(): TaggedPicture[] {
  const size = { width: 13, height: 7 };
  return [
    { name: "JPEG", type: "image/jpeg", tagged: taggedJpeg(), clean: canvasJpeg, ...size },
    { name: "PNG", type: "image/png", tagged: taggedPng(), clean: canvasPng, ...size },
    { name: "animated PNG", type: "image/png", tagged: animatedPng(true), clean: animatedPng(false), ...size },
    { name: "lossy WebP", type: "image/webp", tagged: taggedWebp(lossyWebp), clean: lossyWebp, ...size },
    { name: "WebP with alpha", type: "image/webp", tagged: taggedWebp(alphaWebp), clean: alphaWebp, ...size },
    { name: "lossless WebP", type: "image/webp", tagged: taggedWebp(losslessWebp), clean: losslessWebp, ...size },
    { name: "animated WebP", type: "image/webp", tagged: animatedWebp(true), clean: animatedWebp(false), ...size },
    { name: "GIF", type: "image/gif", tagged: gif(true), clean: gif(false), width: 3, height: 2 },
  ];
}

/** End of the JFIF segment of `canvasJpeg`. */
const JFIF_END = 20;

function taggedJpeg(): Buffer {
  const thumbnail = Buffer.from([2, 1, ...Buffer.from(METADATA_MARKER).subarray(0, 6)]);
  return Buffer.concat([
    canvasJpeg.subarray(0, 2),
    jpegSegment(0xe0, canvasJpeg.subarray(6, 18), thumbnail),
    jpegSegment(0xe0, "JFXX\0\x10", METADATA_MARKER),
    jpegSegment(0xe1, "Exif\0\0", exifOf(1)),
    jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0", XMP),
    jpegSegment(0xe2, "MPF\0", METADATA_MARKER),
    jpegSegment(0xed, "Photoshop 3.0\0", METADATA_MARKER),
    jpegSegment(0xfe, METADATA_MARKER),
    canvasJpeg.subarray(JFIF_END, -2),
    jpegSegment(0xfe, METADATA_MARKER),
    canvasJpeg.subarray(-2),
    appendedZip(),
  ]);
}

/** End of the header chunk of a PNG file. */
const HEADER_END = PNG_SIGNATURE.length + 25;

function taggedPng(): Buffer {
  return Buffer.concat([
    canvasPng.subarray(0, HEADER_END),
    pngChunk("eXIf", exifOf(1)),
    pngChunk("tEXt", `Author\0${METADATA_MARKER}`),
    pngChunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0", XMP),
    pngChunk("zTXt", `Comment\0\0${METADATA_MARKER}`),
    pngChunk("tIME", Buffer.from([7, 230, 1, 2, 3, 4, 5])),
    pngChunk("prVt", METADATA_MARKER),
    pngChunk("gAMA", METADATA_MARKER),
    canvasPng.subarray(HEADER_END, -12),
    pngChunk("tEXt", `Author\0${METADATA_MARKER}`),
    canvasPng.subarray(-12),
    appendedZip(),
  ]);
}

/** Returns an animated PNG of two frames, whose pixels are the same. */
export function animatedPng(isTagged: boolean): Buffer {
  const text = isTagged ? [pngChunk("tEXt", `Author\0${METADATA_MARKER}`)] : [];
  const pixels = canvasPng.subarray(HEADER_END, -12);
  const file = [
    canvasPng.subarray(0, HEADER_END),
    ...text,
    pngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    ...text,
    pngFrame(0, 13, 7),
    pixels,
    ...text,
    pngFrame(1, 13, 7),
    pngChunk("fdAT", "\0\0\0\x02", pixels.subarray(8, -4)),
    ...text,
    canvasPng.subarray(-12),
  ];
  return Buffer.concat(isTagged ? [...file, appendedZip()] : file);
}

const EXIF_AND_XMP = 0x0c;
const webpMetadata = () => [
  riffChunk("EXIF", exifOf(6)),
  riffChunk("XMP ", XMP),
  riffChunk("prVt", `${METADATA_MARKER}!`),
];

function taggedWebp(clean: Buffer): Buffer {
  const file = webpOf(clean.subarray(12), ...webpMetadata());
  file.writeUInt8(file.readUInt8(20) | EXIF_AND_XMP, 20);
  return Buffer.concat([file, appendedZip()]);
}

/** Returns an animated WebP of two frames. */
export function animatedWebp(isTagged: boolean): Buffer {
  const image = riffChunk("VP8L", ...webpChunks(losslessWebp, "VP8L"));
  const lossy = ["ALPH", "VP8 "].map((id) => riffChunk(id, ...webpChunks(alphaWebp, id)));
  const metadata = isTagged ? webpMetadata() : [];
  const file = webpOf(
    webpHeader(isTagged ? 0x12 | EXIF_AND_XMP : 0x12, 13, 7),
    riffChunk("ANIM", Buffer.alloc(6)),
    webpFrame(13, 7, image, ...metadata),
    webpFrame(13, 7, ...lossy, ...metadata),
    ...metadata,
  );
  return isTagged ? Buffer.concat([file, appendedZip()]) : file;
}

function gif(isTagged: boolean): Buffer {
  const metadata = isTagged
    ? [
        gifExtension(0xfe, METADATA_MARKER),
        gifExtension(0xff, "XMP DataXMP", METADATA_MARKER),
        gifExtension(0xf9, Buffer.from([1, 9, 9, 1])),
        gifExtension(0x01, Buffer.alloc(12), METADATA_MARKER),
      ]
    : [];
  const control = gifExtension(0xf9, Buffer.from([1, 50, 0, 0]));
  const file = Buffer.concat([
    gifHeader(3, 2),
    gifExtension(0xff, "NETSCAPE2.0", Buffer.from([1, 5, 0])),
    ...metadata,
    control,
    gifPixel(),
    ...metadata,
    control,
    gifPixel(2, 1),
    ...metadata,
    GIF_TRAILER,
  ]);
  return isTagged ? Buffer.concat([file, appendedZip()]) : file;
}
