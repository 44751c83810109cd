import type { ByteCursor } from "./byte-cursor.ts";
import { BrokenPicture, checkDimensions, type Picture } from "./picture.ts";
import { PieceList } from "./piece-list.ts";

/** Bytes of the signature and the logical screen descriptor, and of an image descriptor. */
const [HEADER_BYTES, IMAGE_BYTES] = [13, 10];
// Blocks and extensions of GIF89a.
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [PLAIN_TEXT, GRAPHIC_CONTROL, APPLICATION] = [0x01, 0xf9, 0xff];
/** Bytes of a graphic control extension, and of an application extension with a number of loops, without terminators. */
const [CONTROL_BYTES, LOOP_BYTES] = [7, 18];
/** Application extensions with the number of loops. Their sub-block has 3 bytes, the first of which is 1. */
const loops: ReadonlySet<string> = new Set(["\x0bNETSCAPE2.0\x03\x01", "\x0bANIMEXTS1.0\x03\x01"]);

/** `control`: graphic control extension for the next image. */
type Found = { width: number; height: number; pieces: PieceList; control: PieceList; images: number };

/**
 * Reads a GIF file (GIF89a) up to its trailer. Keeps colour tables, images, their graphic control extensions and the
 * number of loops.
 * @throws BrokenPicture
 */
export async function readGif(cursor: ByteCursor): Promise<Picture> {
  const header = await cursor.take(HEADER_BYTES);
  if (!/^GIF8[79]a$/.test(header.toString("latin1", 0, 6))) throw new BrokenPicture("The file is no GIF");
  const [width, height] = [header.readUInt16LE(6), header.readUInt16LE(8)];
  cursor.skip(colourTableBytes(header.readUInt8(10)));
  const found: Found = { width, height, pieces: new PieceList(), control: new PieceList(), images: 0 };
  found.pieces.addRange(0, cursor.position);
  for (;;) {
    cursor.countChunk();
    const block = (await cursor.take(1)).readUInt8();
    if (block === TRAILER) break;
    if (block === IMAGE) await readImage(cursor, found);
    else if (block === EXTENSION) await readExtension(cursor, found);
    else throw new BrokenPicture(`The GIF has a block ${block.toString(16)}`);
  }
  if (found.images === 0) throw new BrokenPicture("The GIF has no image");
  found.pieces.addRange(cursor.position - 1, cursor.position);
  const { images, pieces, ...size } = found;
  return { width: size.width, height: size.height, pieces: pieces.pieces, ...(images > 1 && { isAnimated: true }) };
}

/** Reads an image with its colour table. The cursor is behind its first byte. */
async function readImage(cursor: ByteCursor, found: Found): Promise<void> {
  const from = cursor.position - 1;
  const descriptor = await cursor.take(IMAGE_BYTES - 1);
  const [x, y] = [descriptor.readUInt16LE(0), descriptor.readUInt16LE(2)];
  const [width, height] = [descriptor.readUInt16LE(4), descriptor.readUInt16LE(6)];
  checkDimensions(width, height);
  if (found.images === 0) {
    // Browsers enlarge the screen for the first image.
    found.width = Math.max(found.width, x + width);
    found.height = Math.max(found.height, y + height);
    checkDimensions(found.width, found.height);
  }
  // After the colour table: the code size of the compression.
  cursor.skip(colourTableBytes(descriptor.readUInt8(8)) + 1);
  await skipSubBlocks(cursor);
  found.pieces.addAll(found.control);
  found.pieces.addRange(from, cursor.position);
  found.control = new PieceList();
  found.images++;
}

/** Reads an extension. The cursor is behind its first byte. */
async function readExtension(cursor: ByteCursor, found: Found): Promise<void> {
  const from = cursor.position - 1;
  const label = (await cursor.take(1)).readUInt8();
  if (label === GRAPHIC_CONTROL) {
    const size = (await cursor.ahead(1)).readUInt8();
    if (size !== 4) throw new BrokenPicture("A graphic control extension of the GIF has a wrong size");
    found.control = new PieceList();
    await keepStart(cursor, from, CONTROL_BYTES, found.control);
  } else if (label === APPLICATION && (await isLoops(cursor))) {
    await keepStart(cursor, from, LOOP_BYTES, found.pieces);
  } else {
    // A graphic control extension belongs to a picture or a plain text, whichever follows.
    if (label === PLAIN_TEXT) found.control = new PieceList();
    await skipSubBlocks(cursor);
  }
}

/** Keeps the first bytes of an extension and its terminator; drops further sub-blocks. */
async function keepStart(cursor: ByteCursor, from: number, length: number, pieces: PieceList): Promise<void> {
  cursor.skip(from + length - cursor.position);
  pieces.addRange(from, cursor.position);
  await skipSubBlocks(cursor);
  pieces.addRange(cursor.position - 1, cursor.position);
}

/** Returns whether an application extension begins with a number of loops. The cursor is behind its label. */
async function isLoops(cursor: ByteCursor): Promise<boolean> {
  const length = LOOP_BYTES - 2;
  if (cursor.remaining < length) return false;
  const start = await cursor.ahead(length);
  return loops.has(start.toString("latin1", 0, 14));
}

/** Returns the size of the colour table that a descriptor announces in its flags. */
const colourTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Advances behind sub-blocks and their terminator. */
async function skipSubBlocks(cursor: ByteCursor): Promise<void> {
  for (;;) {
    const bytes = await cursor.ahead(1);
    let at = 0;
    while (at < bytes.length) {
      const size = bytes.readUInt8(at);
      at += 1 + size;
      if (size === 0) {
        cursor.skip(at);
        return;
      }
    }
    cursor.skip(at);
  }
}
