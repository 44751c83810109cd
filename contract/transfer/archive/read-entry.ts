import type { FileBytes, FileOf, JoinBytes } from "./file-bytes.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { ZipEntry } from "./zip-directory.ts";
import { entryPieces, isStored, storedRangeOf } from "./zip-entry.ts";

/** In bytes: a compressed file is inflated into memory. Those of our own exports are not compressed. */
const MAX_INFLATED_FILE = 500_000_000;

/**
 * Returns the bytes of an entry after a check. A stored entry stays in the file, of which nothing is copied.
 * @throws as {@link entryPieces}
 */
export async function readEntry<B extends FileBytes>(file: FileOf<B>, entry: ZipEntry, join: JoinBytes<B>): Promise<B> {
  if (!isStored(entry) && entry.size > MAX_INFLATED_FILE) {
    throw new FileRefusal("archive-too-complex", "Too large a file");
  }
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of entryPieces(file, entry)) if (!isStored(entry)) pieces.push(piece);
  if (!isStored(entry)) return join(pieces);
  const { start, end } = await storedRangeOf(file, entry);
  return file.slice(start, end);
}
