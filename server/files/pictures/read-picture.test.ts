import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PictureType, pictureTypes } from "#contract/files/files.ts";
import { loopIterations } from "../../../testing/app/loop-iterations.ts";
import { bufferSource } from "../../../testing/files/buffer-source.ts";
import { canvasJpeg, canvasPng, losslessWebp, lossyWebp } from "../../../testing/files/canvas-pictures.ts";
import {
  gifExtension,
  gifHeader,
  gifPixel,
  jpegSegment,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
  riffChunk,
  webpFrame,
  webpHeader,
  webpOf,
} from "../../../testing/files/picture-encoders.ts";
import { GPS_LATITUDE, METADATA_MARKER, taggedPictures } from "../../../testing/files/pictures.ts";
import { strippedPicture } from "../../../testing/files/stripped-picture.ts";
import type { ByteSource } from "../byte-source.ts";
import { BrokenPicture, bytesOf, MAX_PIXELS, type PicturePiece, readPicture } from "./read-picture.ts";

const BLOCK = 64 * 1024;
const pictures = taggedPictures();

/** Returns the stripped bytes, or null if the file is refused as broken. Other errors are thrown. */
async function strippedOrNull(file: Buffer, type: PictureType): Promise<Buffer | null> {
  return strippedPicture(file, type).then(
    ({ bytes }) => bytes,
    (error: unknown) => {
      if (error instanceof BrokenPicture) return null;
      throw error;
    },
  );
}

/** Returns why a file is refused. */
async function refusalOf(file: Buffer, type: PictureType): Promise<BrokenPicture> {
  const error = await readPicture(bufferSource(file), type).catch((failure: unknown) => failure);
  if (!(error instanceof BrokenPicture)) throw new Error("The picture was read", { cause: error });
  return error;
}

describe.each(pictures)("M2 files of pictures with metadata: $name", ({ type, tagged, clean, width, height }) => {
  it("a picture with metadata is stored as the same picture without metadata", async () => {
    expect(tagged.includes(METADATA_MARKER)).toBe(true);
    const stored = await strippedPicture(tagged, type);
    expect(stored.bytes.includes(METADATA_MARKER)).toBe(false);
    expect(stored.bytes.includes(GPS_LATITUDE)).toBe(false);
    expect(stored.bytes.equals(clean)).toBe(true);
    expect(stored).toMatchObject({ width, height });
  });

  it("a picture without metadata is stored unchanged", async () => {
    expect((await strippedPicture(clean, type)).bytes.equals(clean)).toBe(true);
  });

  it("a picture that is cut before its end is refused, and never stored with metadata", async () => {
    for (let length = 0; length < tagged.length; length++) {
      const stored = await strippedOrNull(tagged.subarray(0, length), type);
      if (stored) expect(stored.equals(clean)).toBe(true);
    }
    for (let length = 0; length < clean.length; length++) {
      expect(await strippedOrNull(clean.subarray(0, length), type)).toBe(null);
    }
  });

  it("a damaged picture is refused or stored as a file that is stored unchanged, whichever bytes are damaged", async () => {
    const position = fc.nat(tagged.length - 1);
    const damage = fc.record({
      at: position,
      removed: fc.nat(12),
      added: fc.oneof(fc.uint8Array({ maxLength: 6 }), fc.constantFrom(...[0xff, 0x00, 0xd9, 0x2c, 0x21]).map(byte)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        const file = damages.reduce(
          (bytes, { at, removed, added }) =>
            Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]),
          tagged,
        );
        const stored = await strippedOrNull(file, type);
        if (stored) expect((await strippedOrNull(stored, type))?.equals(stored)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("a picture is broken as a file of another type", async () => {
    for (const other of pictureTypes.filter((one) => one !== type)) {
      expect((await refusalOf(tagged, other)).reason).toBe("broken");
    }
  });
});

const byte = (value: number) => Uint8Array.of(value);

describe("M4 pictures with too many pixels", () => {
  const [width, height] = [30_000, 30_000];
  const frame = Buffer.from([8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0]);
  const vp8 = (lossyWebp.toString("latin1").match(/VP8 .{4}(.{10})/s) ?? [])[1] ?? "";
  const wide = Buffer.from(vp8, "latin1").fill(Buffer.from([0xff, 0x3f]), 6);
  it.each<[string, PictureType, Buffer]>([
    ["JPEG", "image/jpeg", Buffer.concat([Buffer.from([0xff, 0xd8]), jpegSegment(0xc0, frame)])],
    ["PNG", "image/png", Buffer.concat([PNG_SIGNATURE, pngHeader(width, height)])],
    ["WebP with a canvas", "image/webp", webpOf(webpHeader(0, width, height))],
    ["lossy WebP", "image/webp", webpOf(riffChunk("VP8 ", wide))],
    ["lossless WebP", "image/webp", webpOf(riffChunk("VP8L", Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f])))],
    ["GIF", "image/gif", Buffer.concat([gifHeader(1, 1), gifPixel(40_000, 40_000)])],
  ])("a picture with too many pixels is refused from the header of its %s file", async (_, type, file) => {
    expect((await refusalOf(file, type)).reason).toBe("too-large");
  });

  it("a picture may have 50 million pixels, and not more", async () => {
    const png = (pixels: number) =>
      Buffer.concat([canvasPng.subarray(0, 8), pngHeader(pixels, 1), canvasPng.subarray(33)]);
    await expect(strippedPicture(png(MAX_PIXELS), "image/png")).resolves.toMatchObject({ width: MAX_PIXELS });
    expect((await refusalOf(png(MAX_PIXELS + 1), "image/png")).reason).toBe("too-large");
  });

  it.each<[string, PictureType, Buffer]>([
    ["PNG", "image/png", Buffer.concat([PNG_SIGNATURE, pngHeader(0, 7), canvasPng.subarray(33)])],
    ["GIF", "image/gif", Buffer.concat([gifHeader(3, 3), gifPixel().fill(0, 5, 9), Buffer.from(";")])],
  ])("a picture without pixels is broken, as a %s file", async (_, type, file) => {
    expect((await refusalOf(file, type)).reason).toBe("broken");
  });
});

describe("M4 files of a million chunks", () => {
  const MILLION = 1_000_000;
  const many = (chunk: Buffer, count = MILLION) => Buffer.alloc(chunk.length * count, chunk);
  const image = losslessWebp.subarray(12).subarray(18);
  it.each<[string, PictureType, Buffer]>([
    ["JPEG segments", "image/jpeg", Buffer.concat([canvasJpeg.subarray(0, 2), many(jpegSegment(0xfe))])],
    ["PNG chunks", "image/png", Buffer.concat([canvasPng.subarray(0, 33), many(pngChunk("tEXt"))])],
    ["PNG chunks of pixels", "image/png", Buffer.concat([canvasPng.subarray(0, 33), many(pngChunk("IDAT"))])],
    ["WebP chunks", "image/webp", webpOf(webpHeader(0, 13, 7), image, many(riffChunk("EXIF")))],
    [
      "chunks of a WebP frame",
      "image/webp",
      webpOf(webpHeader(2, 9, 9), riffChunk("ANIM"), webpFrame(9, 9, many(riffChunk("EXIF")))),
    ],
    ["GIF comments", "image/gif", Buffer.concat([gifHeader(1, 1), many(gifExtension(0xfe))])],
  ])("a picture of a million %s is refused after a part of them", async (_, type, file) => {
    const source = bufferSource(file);
    const { result, iterations } = await loopIterations(() =>
      readPicture(source, type).catch((error: unknown) => error),
    );
    expect(result).toMatchObject({ reason: "broken", message: "The file has too many chunks" });
    const read = source.reads.reduce((sum, length) => sum + length);
    expect(read).toBeLessThan(file.length / 2);
    expect(Math.max(...source.reads)).toBe(BLOCK);
    // The event loop runs after each block.
    expect(iterations).toBeGreaterThanOrEqual(source.reads.length - 1);
  });

  it("a picture that would be in many pieces is refused", async () => {
    const pairs = many(Buffer.concat([jpegSegment(0xdb), jpegSegment(0xfe)]), 20_000);
    const file = Buffer.concat([canvasJpeg.subarray(0, 2), pairs, canvasJpeg.subarray(2)]);
    await expect(refusalOf(file, "image/jpeg")).resolves.toMatchObject({
      message: "The picture is in too many pieces",
    });
  });

  it("a picture of a million chunks of data is read in slices: sub-blocks, restart markers, fill bytes", async () => {
    const data = { gif: Buffer.from([1, 0]), restart: Buffer.from([0xff, 0xd0]), fill: Buffer.from([0xff, 0xff]) };
    const [pixel, trailer] = [gifPixel(), Buffer.from(";")];
    const files: [PictureType, Buffer][] = [
      [
        "image/gif",
        Buffer.concat([gifHeader(1, 1), pixel.subarray(0, -4), many(data.gif), pixel.subarray(-1), trailer]),
      ],
      ["image/jpeg", Buffer.concat([canvasJpeg.subarray(0, -2), many(data.restart), canvasJpeg.subarray(-2)])],
      ["image/jpeg", Buffer.concat([canvasJpeg.subarray(0, -2), many(data.fill), canvasJpeg.subarray(-2)])],
    ];
    for (const [type, file] of files) {
      const source = bufferSource(file);
      const { result, iterations } = await loopIterations(() => readPicture(source, type));
      expect(result.pieces.length).toBeLessThan(5);
      expect(iterations).toBeGreaterThanOrEqual(file.length / BLOCK);
      expect(Math.max(...source.reads)).toBe(BLOCK);
    }
  });
});

describe("bytes of pictures", () => {
  const blocksOf = (source: ByteSource, pieces: PicturePiece[]): Promise<Uint8Array[]> =>
    Readable.from(bytesOf(source, pieces)).toArray();
  const file = Buffer.from(Uint32Array.from({ length: 100_000 }, (_, at) => at).buffer);

  it("the bytes of a picture are streamed in blocks of 64 kB at most", async () => {
    const pieces = [{ from: 0, to: file.length }, Uint8Array.of(7), { from: 70_001, to: 370_003 }, { from: 5, to: 6 }];
    const blocks = await blocksOf(bufferSource(file), pieces);
    const expected = [file, Uint8Array.of(7), file.subarray(70_001, 370_003), file.subarray(5, 6)];
    expect(Buffer.concat(blocks).equals(Buffer.concat(expected))).toBe(true);
    expect(Math.max(...blocks.map(({ length }) => length))).toBe(BLOCK);
  });

  it("the bytes of a picture are read once, even in many pieces", async () => {
    const source = bufferSource(file);
    const pieces = Array.from({ length: 10_000 }, (_, at) => ({ from: at * 40, to: at * 40 + 20 }));
    const blocks = await blocksOf(source, pieces);
    expect(Buffer.concat(blocks).length).toBe(200_000);
    expect(source.reads.length).toBeLessThanOrEqual(Math.ceil(file.length / BLOCK) + 1);
  });

  it("the bytes of a picture end with an error, no defect of it, if the source is shorter than its size", async () => {
    const source = { size: file.length, read: async () => Buffer.alloc(0) };
    await expect(blocksOf(source, [{ from: 0, to: 10 }])).rejects.toThrow("The source is shorter than its size");
    const failure = await readPicture(source, "image/png").catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(BrokenPicture);
  });
});
