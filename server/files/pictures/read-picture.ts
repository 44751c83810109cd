import type { PictureType } from "#contract/files/files.ts";
import type { ByteSource } from "../byte-source.ts";
import { ByteCursor } from "./byte-cursor.ts";
import { readGif } from "./gif.ts";
import { readJpeg } from "./jpeg.ts";
import type { Picture, PicturePiece } from "./picture.ts";
import { readPng } from "./png.ts";
import { readWebp } from "./webp.ts";

export type { PictureType } from "#contract/files/files.ts";
export { BrokenPicture, MAX_PIXELS, type Picture, type PictureDefect, type PicturePiece } from "./picture.ts";

const readers: Readonly<Record<PictureType, (cursor: ByteCursor) => Promise<Picture>>> = {
  "image/jpeg": readJpeg,
  "image/png": readPng,
  "image/webp": readWebp,
  "image/gif": readGif,
};

/**
 * Reads the structure of a picture, without decoding it. Its pieces leave out metadata (EXIF, XMP, IPTC, comments,
 * unknown data) and all bytes after the picture. Memory and time are bounded: one block of the source is in memory at a
 * time, and the number of chunks and pieces is limited.
 * @throws BrokenPicture if the file is incomplete or too large; what the source throws
 */
export function readPicture(source: ByteSource, type: PictureType): Promise<Picture> {
  return readers[type](new ByteCursor(source));
}

/**
 * Streams pieces of a source in blocks of 64 kB at most.
 * @throws BrokenPicture if a range ends after the source; what the source throws
 */
export async function* bytesOf(source: ByteSource, pieces: readonly PicturePiece[]): AsyncGenerator<Uint8Array> {
  const cursor = new ByteCursor(source);
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else {
      cursor.moveTo(piece.from);
      yield* cursor.blocks(piece.to - piece.from);
    }
  }
}
