import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { canvasPng } from "../../../testing/files/canvas-pictures.ts";
import {
  PNG_END,
  PNG_SIGNATURE,
  pngChunk,
  pngFrame,
  pngHeader,
  pngOf,
} from "../../../testing/files/picture-encoders.ts";
import { exifOf, METADATA_MARKER } from "../../../testing/files/pictures.ts";
import { strippedPicture } from "../../../testing/files/stripped-picture.ts";

const strip = (...parts: Buffer[]) => strippedPicture(Buffer.concat(parts), "image/png");
const start = canvasPng.subarray(0, 33);
const pixels = canvasPng.subarray(33, -12);
const text = pngChunk("tEXt", METADATA_MARKER);
const announced = (frames: number) => pngChunk("acTL", Buffer.from([0, 0, 0, frames, 0, 0, 0, 0]));

/** Returns the decompressed lines of a PNG file: a decoder of its own, apart from the code that is tested. */
function linesOf(file: Buffer): Buffer {
  const compressed: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const isPixels = file.toString("latin1", at + 4, at + 8) === "IDAT";
    if (isPixels) compressed.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  return inflateSync(Buffer.concat(compressed));
}

describe("M2 PNGs with metadata", () => {
  it.each(["web/public/icons/icon-192.png", "web/public/icons/icon-maskable-512.png"])(
    "a PNG has the same pixels without its metadata: %s",
    async (path) => {
      const file = readFileSync(path);
      const tagged = Buffer.concat([
        file.subarray(0, 33),
        text,
        file.subarray(33, -12),
        text,
        file.subarray(-12),
        text,
      ]);
      const stored = await strip(tagged);
      expect(stored.bytes.includes(METADATA_MARKER)).toBe(false);
      expect(linesOf(stored.bytes).equals(linesOf(file))).toBe(true);
      expect(stored).toMatchObject({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) });
    },
  );

  it("a PNG without metadata is one range of the source, of many blocks", async () => {
    const lines = Buffer.from(Uint32Array.from({ length: 601 * 50 }, (_, at) => Math.imul(at, 2_654_435_761)).buffer);
    const file = pngOf(400, 100, lines.subarray(0, 1201 * 100));
    expect(file.length).toBeGreaterThan(100_000);
    expect(await strip(file)).toMatchObject({ bytes: file, pieces: [{ from: 0, to: file.length }] });
  });

  it.each([2, 3, 4, 5, 6, 7, 8])(
    "a PNG keeps an EXIF orientation of %i, and nothing else of EXIF",
    async (orientation) => {
      const only = pngChunk(
        "eXIf",
        Buffer.from(`4d4d002a0000000800010112000300000001000${orientation}000000000000`, "hex"),
      );
      const stored = await strip(start, pngChunk("eXIf", exifOf(orientation)), text, pixels, PNG_END);
      expect(stored.bytes.equals(Buffer.concat([start, only, pixels, PNG_END]))).toBe(true);
      const [width, height] = orientation < 5 ? [13, 7] : [7, 13];
      expect(stored).toMatchObject({ width, height });
      expect(await strip(stored.bytes)).toMatchObject({ bytes: stored.bytes, width, height });
    },
  );

  it("a PNG loses an orientation that browsers ignore: in a second chunk, or after the pixels", async () => {
    const [upright, turned] = [pngChunk("eXIf", exifOf(1)), pngChunk("eXIf", exifOf(6))];
    for (const parts of [
      [upright, turned, pixels],
      [pixels, turned],
    ]) {
      const stored = await strip(start, ...parts, PNG_END);
      expect(stored).toMatchObject({ bytes: canvasPng, width: 13, height: 7 });
    }
  });

  it("a PNG has no orientation from bytes after its EXIF chunk", async () => {
    const directory = Buffer.from("0001011200030000000100060000", "hex");
    // The sum of the chunk, and the length and type of the next one, are 12 bytes.
    const outside = pngChunk("eXIf", Buffer.from("4d4d002a00000014", "hex"));
    const stored = await strip(start, outside, pngChunk("tEXt", directory, Buffer.alloc(4)), pixels, PNG_END);
    expect(stored).toMatchObject({ bytes: canvasPng, width: 13, height: 7 });
  });
});

describe("animated PNGs", () => {
  const second = [pngFrame(1, 13, 7), pngChunk("fdAT", "\0\0\0\x02", pixels.subarray(8, -4))];

  it("M2 an animated PNG keeps its frames, and loses metadata before, between and after them", async () => {
    const clean = [start, announced(2), pngFrame(0, 13, 7), pixels, ...second, PNG_END];
    const stored = await strip(...clean.flatMap((chunk, at) => (at === 0 ? [chunk] : [text, chunk])), text);
    expect(stored.bytes.equals(Buffer.concat(clean))).toBe(true);
    expect(stored).toMatchObject({ width: 13, height: 7, isAnimated: true });
    expect(await strip(stored.bytes)).toMatchObject({ bytes: stored.bytes, isAnimated: true });
  });

  it("a PNG whose pixels are no frame of its animation is animated from one frame on", async () => {
    const file = [start, announced(1), pixels, ...second, PNG_END];
    expect(await strip(...file)).toMatchObject({ bytes: Buffer.concat(file), isAnimated: true });
  });

  it("a PNG with one frame is not animated", async () => {
    const file = [start, announced(1), pngFrame(0, 13, 7), pixels, PNG_END];
    expect(await strip(...file)).not.toHaveProperty("isAnimated");
  });

  it("M2 a PNG loses frames of no animation, and a second start of one", async () => {
    for (const beginning of [
      [pngFrame(0, 13, 7), pixels, announced(2)],
      [pixels, announced(2)],
    ]) {
      const stored = await strip(start, ...beginning, ...second, PNG_END);
      expect(stored.bytes.equals(canvasPng)).toBe(true);
      expect(stored).not.toHaveProperty("isAnimated");
    }
    const twice = await strip(start, announced(2), announced(2), pixels, ...second, PNG_END);
    expect(twice.bytes.equals(Buffer.concat([start, announced(2), pixels, ...second, PNG_END]))).toBe(true);
  });
});

describe("PNGs", () => {
  const kept: Record<string, number> = {
    ...{ PLTE: 768, tRNS: 256, gAMA: 4, cHRM: 32, sRGB: 1, iCCP: 70_000, sBIT: 4, bKGD: 6, pHYs: 9 },
    ...{ cICP: 4, mDCV: 24, cLLI: 8, acTL: 8 },
  };
  it.each(Object.entries(kept))("a PNG keeps its %s chunk of %i bytes", async (type, length) => {
    const file = Buffer.concat([start, pngChunk(type, Buffer.alloc(length, 1)), pixels, PNG_END]);
    expect((await strip(file)).bytes.equals(file)).toBe(true);
  });

  it.each(["eXIf", "tEXt", "iTXt", "zTXt", "tIME", "hIST", "sPLT", "prVt", "CRIT", "idat", "fcTL", "fdAT"])(
    "M2 a PNG loses its %s chunk, whose sum is not checked",
    async (type) => {
      const chunk = pngChunk(type, METADATA_MARKER);
      if (type !== "eXIf") chunk.writeUInt8(chunk.readUInt8(chunk.length - 1) ^ 1, chunk.length - 1);
      expect((await strip(start, chunk, pixels, PNG_END)).bytes.equals(canvasPng)).toBe(true);
    },
  );

  it.each(Object.entries(kept).filter(([, length]) => length < 1000))(
    "M2 a PNG loses a %s chunk of more than %i bytes",
    async (type, length) => {
      const chunk = pngChunk(type, METADATA_MARKER.padEnd(length + 1));
      expect((await strip(start, chunk, pixels, PNG_END)).bytes.equals(canvasPng)).toBe(true);
    },
  );

  it.each(["IHDR", "gAMA", "iCCP", "IDAT", "IEND", "eXIf"])(
    "a PNG with a wrong sum of its %s chunk is broken",
    async (type) => {
      const extra = ["gAMA", "iCCP", "eXIf"].includes(type) ? pngChunk(type, "0000") : Buffer.alloc(0);
      const file = Buffer.concat([start, extra, pixels, PNG_END]);
      await expect(strip(file)).resolves.toMatchObject({ width: 13 });
      const at = file.indexOf(type);
      const sumAt = at + 4 + file.readUInt32BE(at - 4);
      file.writeUInt8(file.readUInt8(sumAt) ^ 1, sumAt);
      await expect(strip(file)).rejects.toMatchObject({ reason: "broken" });
    },
  );

  const broken: Record<string, Buffer[]> = {
    "a frame outside it": [start, announced(2), pngFrame(0, 14, 7), pixels, PNG_END],
    "a frame of no pixels": [start, announced(2), pngFrame(0, 0, 7), pixels, PNG_END],
    "a frame with a short header": [start, announced(2), pngChunk("fcTL", Buffer.alloc(25)), pixels, PNG_END],
    "another signature": [Buffer.from("\x89PNG\n\n\x1a\n", "latin1"), canvasPng.subarray(8)],
    "no header": [PNG_SIGNATURE, pixels, PNG_END],
    "another chunk as its header": [PNG_SIGNATURE, pngChunk("gAMA", canvasPng.subarray(16, 29)), pixels, PNG_END],
    "a header of another length": [PNG_SIGNATURE, pngChunk("IHDR", canvasPng.subarray(16, 28)), pixels, PNG_END],
    "two headers": [start, pngHeader(13, 7), pixels, PNG_END],
    "no pixels": [start, PNG_END],
    "no end": [start, pixels],
    "data in its end chunk": [start, pixels, pngChunk("IEND", METADATA_MARKER)],
    "a chunk that ends after the file": [start, Buffer.from("\xff\xff\xff\xfftEXt", "latin1"), pixels, PNG_END],
    "a chunk without a type": [start, pngChunk("tE\0t"), pixels, PNG_END],
  };
  it.each(Object.entries(broken))("a PNG with %s is broken", async (_, parts) => {
    await expect(strip(...parts)).rejects.toMatchObject({ reason: "broken" });
  });
});
