import { Inflate } from "fflate";
import { crc32 } from "./crc32.ts";
import { type FileBytes, readPieces } from "./file-bytes.ts";
import { FileRefusal } from "./file-refusal.ts";
import { viewOf, type ZipEntry } from "./zip-directory.ts";

const HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Largest ratio of inflated to compressed bytes of an entry that is larger than {@link SMALL}. */
const MAX_RATIO = 200;
/** In bytes: small entries of a few repeated elements compress well. */
const SMALL = 1_000_000;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Yields the bytes of an entry, and never more of them than the directory promises.
 * @throws FileRefusal `broken-archive` if they are others; `archive-too-complex` if the ratio of inflated to compressed
 *   bytes is too high
 */
export async function* entryPieces(file: FileBytes, entry: ZipEntry): AsyncGenerator<Bytes> {
  const { start, end } = await storedRangeOf(file, entry);
  const bytes = file.slice(start, end);
  let length = 0;
  let sum = 0;
  for await (const piece of isStored(entry) ? readPieces(bytes) : inflated(bytes)) {
    length += piece.length;
    if (length > entry.size) throw new FileRefusal("broken-archive", "More bytes than the directory says");
    sum = crc32(piece, sum);
    yield piece;
  }
  if (length !== entry.size || sum !== entry.crc) throw new FileRefusal("broken-archive", "Other bytes");
}

export const isStored = ({ method }: ZipEntry): boolean => method === STORED;

/**
 * Returns where in the archive the bytes of an entry are, as it has them.
 * @throws FileRefusal `broken-archive`, `archive-too-complex`
 */
export async function storedRangeOf(
  file: FileBytes,
  { at, method, isEncrypted, compressedSize, size }: ZipEntry,
): Promise<{ start: number; end: number }> {
  if (isEncrypted || (method !== STORED && method !== DEFLATED))
    throw new FileRefusal("broken-archive", "Another method");
  if (method === STORED && size !== compressedSize) throw new FileRefusal("broken-archive", "Two sizes");
  if (size > SMALL && size > compressedSize * MAX_RATIO)
    throw new FileRefusal("archive-too-complex", "Too high a ratio");
  const header = await viewOf(file, at, HEADER_BYTES);
  if (header.getUint32(0, true) !== 0x04034b50) throw new FileRefusal("broken-archive", "No header");
  const start = at + HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + compressedSize > file.size) throw new FileRefusal("broken-archive", "Beyond the end");
  return { start, end: start + compressedSize };
}

async function* inflated(bytes: FileBytes): AsyncGenerator<Bytes> {
  let pieces: Bytes[] = [];
  const inflate = new Inflate((piece) => pieces.push(piece));
  const push = (piece: Uint8Array, isLast: boolean) => {
    pieces = [];
    try {
      inflate.push(piece, isLast);
    } catch (cause) {
      throw new FileRefusal("broken-archive", "Not inflatable", { cause });
    }
    return pieces;
  };
  for await (const piece of readPieces(bytes)) yield* push(piece, false);
  yield* push(new Uint8Array(), true);
}
