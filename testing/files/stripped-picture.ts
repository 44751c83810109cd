import { buffer } from "node:stream/consumers";
import type { PictureType } from "#contract/files/files.ts";
import { bytesOf, type Picture, readPicture } from "../../server/files/pictures/read-picture.ts";
import { bufferSource } from "./buffer-source.ts";

/** Returns a picture as the server stores it, with its `bytes`. @throws BrokenPicture */
export async function strippedPicture(file: Buffer, type: PictureType): Promise<Picture & { bytes: Buffer }> {
  const source = bufferSource(file);
  const picture = await readPicture(source, type);
  return { ...picture, bytes: await buffer(bytesOf(source, picture.pieces)) };
}
