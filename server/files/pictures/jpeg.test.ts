import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canvasJpeg } from "../../../testing/files/canvas-pictures.ts";
import { jpegSegment } from "../../../testing/files/picture-encoders.ts";
import { exifOf, METADATA_MARKER } from "../../../testing/files/pictures.ts";
import { strippedPicture } from "../../../testing/files/stripped-picture.ts";

const [START, END] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
const exif = (orientation: number | null) => jpegSegment(0xe1, "Exif\0\0", exifOf(orientation));
const comment = jpegSegment(0xfe, METADATA_MARKER);

const strip = (...parts: Buffer[]) => strippedPicture(Buffer.concat(parts), "image/jpeg");

/** Bytes of `canvasJpeg` up to the end of its JFIF segment, and after it. */
const [jfif, image] = [canvasJpeg.subarray(0, 20), canvasJpeg.subarray(20)];

// A picture of 4 × 3 pixels in two scans; its data is not decoded.
const frame = jpegSegment(0xc2, Buffer.from([8, 0, 3, 0, 4, 1, 1, 0x11, 0]));
const scan = jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
const table = jpegSegment(0xc4, Buffer.alloc(17));
const data = Buffer.from([1, 0xff, 0, 0xfe, 0xff, 0xd0, 2, 0xff, 0xff, 0xd7, 3, 0xff, 0xff, 0, 4]);
const twoScans = Buffer.concat([START, table, frame, scan, data, table, scan, data, END]);

describe("M2 EXIF orientations of JPEGs", () => {
  it.each([2, 3, 4, 5, 6, 7, 8])(
    "a JPEG keeps its EXIF orientation %i, and nothing else of EXIF",
    async (orientation) => {
      const tiff = `4d4d002a00000008${"0001"}${"0112000300000001"}000${orientation}0000${"00000000"}`;
      const only = jpegSegment(0xe1, "Exif\0\0", Buffer.from(tiff, "hex"));
      const stored = await strip(jfif, exif(orientation), image);
      expect(stored.bytes.equals(Buffer.concat([jfif, only, image]))).toBe(true);
      const [width, height] = orientation < 5 ? [13, 7] : [7, 13];
      expect(stored).toMatchObject({ width, height });
      expect(await strip(stored.bytes)).toMatchObject({ bytes: stored.bytes, width, height });
    },
  );

  it("the EXIF orientation of a JPEG is that of its first EXIF segment, as in browsers", async () => {
    const turned = await strip(jfif, exif(6), exif(1), image);
    expect(turned).toMatchObject({ width: 7, height: 13 });
    const upright = await strip(jfif, exif(null), exif(6), image);
    expect(upright).toMatchObject({ bytes: canvasJpeg, width: 13, height: 7 });
  });
});

describe("JPEGs", () => {
  it("a JPEG keeps colours: ICC profile in several segments and Adobe's transform", async () => {
    const profile = [1, 2].map((n) =>
      jpegSegment(0xe2, `ICC_PROFILE\0${String.fromCharCode(n)}\x02`, Buffer.alloc(300)),
    );
    const adobe = jpegSegment(0xee, "Adobe", Buffer.from([0, 100, 0, 0, 0, 0, 2]));
    const file = Buffer.concat([START, ...profile, adobe, twoScans.subarray(2)]);
    const stored = await strip(file);
    expect(stored.bytes.equals(file)).toBe(true);
    const longer = jpegSegment(0xee, "Adobe", Buffer.from([0, 100, 0, 0, 0, 0, 2]), METADATA_MARKER);
    expect((await strip(START, ...profile, longer, twoScans.subarray(2))).bytes.equals(file)).toBe(true);
  });

  it.each([0xe0, 0xe1, 0xe2, 0xe3, 0xe7, 0xec, 0xed, 0xee, 0xef, 0xfe])(
    "M2 a JPEG loses segments of unknown content with marker %i",
    async (marker) => {
      const unknown = jpegSegment(marker, METADATA_MARKER);
      expect((await strip(START, unknown, twoScans.subarray(2))).bytes.equals(twoScans)).toBe(true);
    },
  );

  it("M2 a JPEG loses a second JFIF segment, and segments too short for their kind", async () => {
    const thumbnail = jpegSegment(0xe0, "JFIF\0", Buffer.alloc(8, 1), METADATA_MARKER);
    const short = [jpegSegment(0xe0, "JFIF\0", Buffer.alloc(8)), jpegSegment(0xee, "Adobe", Buffer.alloc(6))];
    const stored = await strip(START, ...short, jfif.subarray(2), thumbnail, image);
    expect(stored.bytes.equals(canvasJpeg)).toBe(true);
  });

  it("M2 a JPEG loses metadata between and after its scans, and keeps their data", async () => {
    const profile = jpegSegment(0xe2, "ICC_PROFILE\0\x01\x01", METADATA_MARKER);
    const metadata = Buffer.concat([comment, exif(6), profile, jpegSegment(0xee, "Adobe", Buffer.alloc(7))]);
    const stored = await strip(START, table, frame, scan, data, metadata, table, scan, data, metadata, END);
    expect(stored.bytes.equals(twoScans)).toBe(true);
    expect(stored).toMatchObject({ width: 4, height: 3 });
  });

  it("M2 a JPEG loses bytes between its segments", async () => {
    const [fill, temporary] = [Buffer.from([0xff]), Buffer.from([0xff, 0x01])];
    const stored = await strip(START, Buffer.from(METADATA_MARKER), temporary, fill, twoScans.subarray(2));
    expect(stored.bytes.equals(twoScans)).toBe(true);
  });

  it("M2 a JPEG loses a second picture and a number of lines that its frame does not have", async () => {
    const lines = jpegSegment(0xdc, Buffer.from([0xff, 0xff]));
    const stored = await strip(twoScans.subarray(0, -2), lines, END, twoScans, Buffer.from(METADATA_MARKER));
    expect(stored.bytes.equals(twoScans)).toBe(true);
  });

  it("a progressive JPEG of a camera keeps all its bytes but metadata", async () => {
    const file = readFileSync("node_modules/@fastify/static/example/public/images/sample.jpg");
    const stored = await strip(file.subarray(0, 2), exif(1), comment, file.subarray(2), Buffer.from(METADATA_MARKER));
    expect(stored).toMatchObject({ width: 500, height: 500 });
    const tables = file.indexOf(Buffer.from([0xff, 0xdb]));
    expect(stored.bytes.includes(file.subarray(tables))).toBe(true);
    expect(stored.bytes.equals((await strip(file)).bytes)).toBe(true);
  });

  it("a JPEG is one range if it has no metadata and no JFIF segment", async () => {
    expect((await strip(twoScans)).pieces).toEqual([{ from: 0, to: twoScans.length }]);
  });

  const broken: Record<string, Buffer[]> = {
    "no start": [END, twoScans],
    "no frame": [START, table, scan, data, END],
    "no scan": [START, table, frame, END],
    "no end": [twoScans.subarray(0, -2)],
    "a scan before its frame": [START, scan, data, frame, END],
    "two frames": [START, frame, frame, scan, data, END],
    "a frame without components": [START, jpegSegment(0xc2, Buffer.from([8, 0, 3, 0, 4, 1])), scan, data, END],
    "a frame without content": [START, jpegSegment(0xc2), scan, data, END],
    "a second start": [START, twoScans],
    "frames of a hierarchical file": [START, jpegSegment(0xde, frame.subarray(4)), twoScans.subarray(2)],
    "a segment without a length": [START, Buffer.from([0xff, 0xe5, 0, 1]), twoScans.subarray(2)],
    "a segment that ends after the file": [twoScans.subarray(0, -2), Buffer.from([0xff, 0xe5, 0xff, 0xff]), END],
  };
  it.each(Object.entries(broken))("a JPEG with %s is broken", async (_, parts) => {
    await expect(strip(...parts)).rejects.toMatchObject({ reason: "broken" });
  });
});
