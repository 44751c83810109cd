import { crc32 } from "node:zlib";
import { BLOCK_BYTES, type ByteCursor } from "./byte-cursor.ts";
import { displayed, orientationOf, orientationOnly, UPRIGHT } from "./orientation.ts";
import { BrokenPicture, checkDimensions, type Picture } from "./picture.ts";
import { PieceList } from "./piece-list.ts";

const SIGNATURE = "\x89PNG\r\n\x1a\n";
const IHDR_BYTES = 13;
/** Length of the header of an animated frame, `fcTL`. */
const FRAME_BYTES = 26;

/**
 * Chunks that are kept, with their maximal length in bytes (PNG, third edition, section 11). A longer one is no such
 * chunk: decoders ignore it.
 */
const MAX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["PLTE", 768],
  ["IDAT", Number.POSITIVE_INFINITY],
  ["tRNS", 256],
  ["gAMA", 4],
  ["cHRM", 32],
  ["sRGB", 1],
  ["iCCP", Number.POSITIVE_INFINITY],
  ["sBIT", 4],
  ["bKGD", 6],
  ["pHYs", 9],
  ["acTL", 8],
  ["fcTL", FRAME_BYTES],
  ["fdAT", Number.POSITIVE_INFINITY],
  ["cICP", 4],
  ["mDCV", 24],
  ["cLLI", 8],
]);

/** `from`: position of the chunk; its data begins 8 bytes later. `length`: of its data, in bytes. */
type Chunk = { from: number; type: string; length: number };
type Dimensions = { width: number; height: number };
/** `isAnnounced`: by a chunk `acTL`; `frames`: beside the picture itself. */
type Animation = { isAnnounced: boolean; frames: number };

/**
 * Reads a PNG file (W3C PNG, third edition; animations too) up to its end chunk. Keeps the chunks that change how the
 * picture looks; of EXIF metadata the orientation. Check values of all kept chunks are verified, those of pixels too:
 * `crc32` reads 20 MB in a few milliseconds.
 * @throws BrokenPicture
 */
export async function readPng(cursor: ByteCursor): Promise<Picture> {
  if ((await cursor.take(8)).toString("latin1") !== SIGNATURE) throw new BrokenPicture("The file is no PNG");
  const pieces = new PieceList();
  pieces.addRange(0, 8);
  const { width, height } = await readHeader(cursor, pieces);
  const animation: Animation = { isAnnounced: false, frames: 0 };
  let [hasPixels, exif]: [boolean, number | null] = [false, null];
  let chunk = await takeChunk(cursor);
  for (; chunk.type !== "IEND"; chunk = await takeChunk(cursor)) {
    const { type, length } = chunk;
    if (type === "IHDR") throw new BrokenPicture("The PNG has two headers");
    // Browsers ignore it after the pixels, and all but the first.
    if (type === "eXIf" && exif === null && !hasPixels) {
      exif = await readOrientation(cursor, chunk);
      if (exif !== UPRIGHT) pieces.addBytes(chunkOf("eXIf", orientationOnly(exif)));
    } else if (length <= (MAX_LENGTHS.get(type) ?? -1) && isShown(type, animation, hasPixels)) {
      if (type === "fcTL") await checkFrame(cursor, chunk, { width, height });
      await keepChunk(cursor, chunk, pieces);
      hasPixels ||= type === "IDAT";
    } else cursor.skip(length + 4);
  }
  if (!hasPixels || chunk.length > 0) throw new BrokenPicture("The PNG has no pixels, or data in its end chunk");
  await keepChunk(cursor, chunk, pieces);
  const size = displayed(width, height, exif ?? UPRIGHT);
  return { ...size, pieces: pieces.pieces, ...(animation.frames > 0 && { isAnimated: true }) };
}

/**
 * Returns whether decoders use a chunk. Without an animation that is announced before the pixels they ignore its frames,
 * whose chunks may then hold anything. Counts the frames beside the picture itself.
 */
function isShown(type: string, animation: Animation, hasPixels: boolean): boolean {
  if (type === "acTL") {
    const isFirst = !animation.isAnnounced && !hasPixels;
    animation.isAnnounced ||= isFirst;
    return isFirst;
  }
  if (type !== "fcTL" && type !== "fdAT") return true;
  if (type === "fcTL" && animation.isAnnounced && hasPixels) animation.frames++;
  return animation.isAnnounced;
}

/** Checks that a frame is inside the picture (section 11.3.6.2). */
async function checkFrame(cursor: ByteCursor, { length }: Chunk, canvas: Dimensions): Promise<void> {
  if (length !== FRAME_BYTES) throw new BrokenPicture("A frame of the PNG has no header");
  const data = await cursor.ahead(FRAME_BYTES);
  const [width, height] = [data.readUInt32BE(4), data.readUInt32BE(8)];
  checkDimensions(width, height);
  const isInside = data.readUInt32BE(12) + width <= canvas.width && data.readUInt32BE(16) + height <= canvas.height;
  if (!isInside) throw new BrokenPicture("A frame of the PNG is outside its picture");
}

async function readHeader(cursor: ByteCursor, pieces: PieceList): Promise<Dimensions> {
  const chunk = await takeChunk(cursor);
  if (chunk.type !== "IHDR" || chunk.length !== IHDR_BYTES) throw new BrokenPicture("The PNG has no header");
  const data = await cursor.ahead(IHDR_BYTES);
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  checkDimensions(width, height);
  await keepChunk(cursor, chunk, pieces);
  return { width, height };
}

/** Advances to the data of the next chunk. */
async function takeChunk(cursor: ByteCursor): Promise<Chunk> {
  cursor.countChunk();
  const from = cursor.position;
  const head = await cursor.take(8);
  const [length, type] = [head.readUInt32BE(), head.toString("latin1", 4)];
  if (!/^[A-Za-z]{4}$/.test(type)) throw new BrokenPicture("A chunk of the PNG has no type");
  return { from, type, length };
}

async function keepChunk(cursor: ByteCursor, chunk: Chunk, pieces: PieceList): Promise<void> {
  await checkValue(cursor, chunk);
  pieces.addRange(chunk.from, cursor.position);
}

/** Advances behind the chunk. @throws BrokenPicture if its check value is wrong */
async function checkValue(cursor: ByteCursor, { type, length }: Chunk): Promise<void> {
  let sum = crc32(type);
  for await (const block of cursor.blocks(length)) sum = crc32(block, sum);
  if ((await cursor.take(4)).readUInt32BE() !== sum) throw new BrokenPicture(`The chunk ${type} is damaged`);
}

/** Returns the orientation in EXIF metadata, and advances behind it. */
async function readOrientation(cursor: ByteCursor, chunk: Chunk): Promise<number> {
  const start = await cursor.ahead(Math.min(chunk.length, BLOCK_BYTES));
  const orientation = orientationOf(start.subarray(0, chunk.length));
  await checkValue(cursor, chunk);
  return orientation;
}

function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length);
  chunk.writeUInt32BE(crc32(data, crc32(type)), chunk.length - 4);
  return chunk;
}
