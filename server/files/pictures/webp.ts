import type { ByteCursor } from "./byte-cursor.ts";
import { BrokenPicture, checkDimensions, type Picture } from "./picture.ts";
import { PieceList } from "./piece-list.ts";

/** Bytes of a chunk's identifier and size. */
const HEAD_BYTES = 8;
const VP8X_BYTES = 10;
/** Bytes of an animated frame before its chunks. */
const FRAME_BYTES = 16;
// Flags of VP8X. Those of EXIF and XMP and the reserved ones are cleared.
const [ICC_FLAG, ALPHA_FLAG, ANIMATION_FLAG] = [0x20, 0x10, 0x02];

type Dimensions = { width: number; height: number };
/** `from`: position of the chunk; `to`: end of its data, without the padding byte of an odd size. */
type Chunk = { id: string; size: number; from: number; to: number };
/** A picture or an animated frame. `dimensions`: null until a bitstream without a canvas around it was read. */
type Image = { dimensions: Dimensions | null; hasAlpha: boolean; isComplete: boolean };
/** The chunks of a file or frame: position of the end, and where the kept ones are collected. */
type Container = { cursor: ByteCursor; end: number; pieces: PieceList };
type Found = Dimensions & { isAnimated?: boolean };

/**
 * Reads a WebP file (RFC 9649) up to the end of its RIFF container. Keeps the image or the animated frames, and the
 * ICC profile. EXIF metadata is dropped with its orientation: Chromium does not apply it to WebP and other viewers do,
 * so that its dimensions, and what a model sees, would depend on the viewer.
 * @throws BrokenPicture
 */
export async function readWebp(cursor: ByteCursor): Promise<Picture> {
  const riff = Buffer.from(await cursor.take(12));
  const isWebp = riff.toString("latin1", 0, 4) === "RIFF" && riff.toString("latin1", 8) === "WEBP";
  if (!isWebp) throw new BrokenPicture("The file is no WebP");
  const end = riff.readUInt32LE(4) + HEAD_BYTES;
  if (end - cursor.position > cursor.remaining) throw new BrokenPicture("The file is truncated");
  const file = { cursor, end, pieces: new PieceList() };
  file.pieces.addBytes(riff);
  const chunk = await takeHead(file);
  const found = chunk && (chunk.id === "VP8X" ? await readExtended(file, chunk) : await readSimple(file, chunk));
  if (!found) throw new BrokenPicture("The WebP has no image");
  riff.writeUInt32LE(file.pieces.size - HEAD_BYTES, 4);
  return { ...found, pieces: file.pieces.pieces };
}

/** Reads a file of one image; what follows it is dropped. @returns null if the chunk is no image */
async function readSimple(file: Container, chunk: Chunk): Promise<Dimensions | null> {
  const image: Image = { dimensions: null, hasAlpha: false, isComplete: false };
  await readImageChunk(file, chunk, image);
  return image.dimensions;
}

/** Reads a file with an alpha channel, a profile or an animation. @returns null if it has no image */
async function readExtended(file: Container, { size }: Chunk): Promise<Found | null> {
  if (size !== VP8X_BYTES) throw new BrokenPicture("The VP8X chunk of the WebP has a wrong size");
  const header = Buffer.from(await file.cursor.take(VP8X_BYTES));
  const flags = header.readUInt8() & (ALPHA_FLAG | ANIMATION_FLAG);
  const dimensions = { width: header.readUIntLE(4, 3) + 1, height: header.readUIntLE(7, 3) + 1 };
  checkDimensions(dimensions.width, dimensions.height);
  file.pieces.addBytes(headOf("VP8X", VP8X_BYTES));
  file.pieces.addBytes(header);
  const image: Image = { dimensions, hasAlpha: false, isComplete: false };
  let [hasProfile, hasAnimation, frames] = [false, false, 0];
  for (let chunk = await takeHead(file); chunk; chunk = await takeHead(file)) {
    if (chunk.id === "ICCP" && !hasProfile && !image.isComplete) {
      keepChunk(file, chunk);
      hasProfile = true;
    } else if ((flags & ANIMATION_FLAG) === 0) {
      await readImageChunk(file, chunk, image);
    } else if (chunk.id === "ANIM" && !hasAnimation) {
      keepChunk(file, chunk);
      hasAnimation = true;
    } else if (chunk.id === "ANMF" && hasAnimation) {
      await readFrame(file, chunk, dimensions);
      image.isComplete = true;
      frames++;
    } else dropChunk(file, chunk);
  }
  header.writeUInt32LE(flags | (hasProfile ? ICC_FLAG : 0));
  return image.isComplete ? { ...dimensions, ...(frames > 1 && { isAnimated: true }) } : null;
}

/** Keeps a chunk of an image that is not complete, and drops any other. */
async function readImageChunk(file: Container, chunk: Chunk, image: Image): Promise<void> {
  if (!image.isComplete && (chunk.id === "VP8 " || chunk.id === "VP8L")) {
    const { width, height } = await bitstreamDimensions(file.cursor, chunk);
    image.dimensions ??= { width, height };
    // Decoders differ in which of the two they apply.
    const isFitting = width === image.dimensions.width && height === image.dimensions.height;
    if (!isFitting) throw new BrokenPicture("An image of the WebP has other dimensions than its canvas");
    image.isComplete = true;
    keepChunk(file, chunk);
  } else if (!image.isComplete && !image.hasAlpha && chunk.id === "ALPH") {
    image.hasAlpha = true;
    keepChunk(file, chunk);
  } else dropChunk(file, chunk);
}

/** Keeps a frame of an animation without the chunks that are no part of its image. */
async function readFrame(file: Container, chunk: Chunk, canvas: Dimensions): Promise<void> {
  const { cursor, pieces } = file;
  const header = await cursor.take(FRAME_BYTES);
  const [x, y] = [header.readUIntLE(0, 3) * 2, header.readUIntLE(3, 3) * 2];
  const dimensions = { width: header.readUIntLE(6, 3) + 1, height: header.readUIntLE(9, 3) + 1 };
  const isInside = x + dimensions.width <= canvas.width && y + dimensions.height <= canvas.height;
  if (!isInside) throw new BrokenPicture("A frame of the WebP is outside its canvas");
  const frame = { cursor, end: chunk.to, pieces: new PieceList() };
  frame.pieces.addRange(cursor.position - FRAME_BYTES, cursor.position);
  const image: Image = { dimensions, hasAlpha: false, isComplete: false };
  for (let one = await takeHead(frame); one; one = await takeHead(frame)) await readImageChunk(frame, one, image);
  if (!image.isComplete) throw new BrokenPicture("A frame of the WebP has no image");
  if (frame.pieces.size === chunk.size) {
    keepChunk(file, chunk);
    return;
  }
  pieces.addBytes(headOf("ANMF", frame.pieces.size));
  pieces.addAll(frame.pieces);
  dropChunk(file, chunk);
}

/** Returns the dimensions in the header of a bitstream: RFC 6386, section 9.1, and RFC 9649, section 3.4. */
async function bitstreamDimensions(cursor: ByteCursor, { id, size }: Chunk): Promise<Dimensions> {
  const isLossy = id === "VP8 ";
  const length = isLossy ? 10 : 5;
  const start = size < length ? null : await cursor.ahead(length);
  if (isLossy && start?.readUIntBE(3, 3) === 0x9d012a) {
    const [width, height] = [start.readUInt16LE(6) & 0x3fff, start.readUInt16LE(8) & 0x3fff];
    checkDimensions(width, height);
    return { width, height };
  }
  if (!isLossy && start?.readUInt8() === 0x2f) {
    const bits = start.readUInt32LE(1);
    const [width, height] = [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
    checkDimensions(width, height);
    return { width, height };
  }
  throw new BrokenPicture("An image of the WebP has no header");
}

/** Advances to the data of the next chunk; null at the end of the container, where a rest is no chunk. */
async function takeHead({ cursor, end }: Container): Promise<Chunk | null> {
  const from = cursor.position;
  if (end - from < HEAD_BYTES) return null;
  cursor.countChunk();
  const head = await cursor.take(HEAD_BYTES);
  const size = head.readUInt32LE(4);
  const to = cursor.position + size;
  if (to > end) throw new BrokenPicture("A chunk of the WebP ends after its container");
  return { id: head.toString("latin1", 0, 4), size, from, to };
}

function headOf(id: string, size: number): Buffer {
  const head = Buffer.from(`${id}\0\0\0\0`, "latin1");
  head.writeUInt32LE(size, 4);
  return head;
}

/** Advances behind a chunk and keeps it. Some files lack the padding byte at their end; the copy has it. */
function keepChunk(container: Container, chunk: Chunk): void {
  dropChunk(container, chunk);
  const { cursor, pieces } = container;
  pieces.addRange(chunk.from, cursor.position);
  if ((cursor.position - chunk.from) % 2 === 1) pieces.addBytes(Uint8Array.of(0));
}

/** Advances behind a chunk and its padding byte. */
function dropChunk({ cursor, end }: Container, { size, to }: Chunk): void {
  cursor.skip(to - cursor.position);
  if (size % 2 === 1 && cursor.position < end) cursor.skip(1);
}
