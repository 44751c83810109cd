/**
 * The directory of a zip archive (PKWARE's APPNOTE 6.3.10, sections 4.3 and 4.5). Only the directory is read, whose
 * entries say where their bytes are: the archive may be larger than memory.
 */

import type { FileBytes } from "./file-bytes.ts";
import { FileRefusal } from "./file-refusal.ts";
import { utf8Decoder } from "./utf8.ts";

/** An entry. Sizes and the position `at` of its header in bytes. */
export type ZipEntry = {
  name: string;
  isEncrypted: boolean;
  /** 0: stored; 8: deflate. */
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  at: number;
};

/** Largest number of entries, and of bytes of the directory. */
const MAX_ENTRIES = 100_000;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const LOCATOR_BYTES = 20;
const END_64_BYTES = 56;
const RECORD_BYTES = 46;
const MAX_16 = 0xffff;
const MAX_32 = 0xffff_ffff;

/** Reads the directory of an archive. @throws FileRefusal `broken-archive`, `archive-too-complex` */
export async function readDirectory(file: FileBytes): Promise<ZipEntry[]> {
  const { count, at, size } = await findDirectory(file);
  if (count > MAX_ENTRIES || size > MAX_DIRECTORY_BYTES)
    throw new FileRefusal("archive-too-complex", "Too many entries");
  const view = await viewOf(file, at, size);
  const entries: ZipEntry[] = [];
  let position = 0;
  for (let index = 0; index < count; index++) {
    const { entry, length } = readRecord(view, position);
    entries.push(entry);
    position += length;
  }
  // Entries that share their bytes make a small archive a large one.
  const stored = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  if (stored > file.size) throw new FileRefusal("broken-archive", "Entries overlap");
  return entries;
}

/** Reads bytes of a file. @throws FileRefusal `broken-archive` if they are beyond its end */
export async function viewOf(file: FileBytes, at: number, length: number): Promise<DataView> {
  if (at < 0 || length < 0 || at + length > file.size) throw new FileRefusal("broken-archive", "Beyond the end");
  return new DataView(await file.slice(at, at + length).arrayBuffer());
}

type Directory = { count: number; at: number; size: number };

async function findDirectory(file: FileBytes): Promise<Directory> {
  const length = Math.min(file.size, END_BYTES + MAX_COMMENT_BYTES);
  const view = await viewOf(file, file.size - length, length);
  let end = length - END_BYTES;
  // The record is followed by its comment, and by nothing else.
  while (end >= 0 && !(view.getUint32(end, true) === 0x06054b50 && commentEnd(view, end) === length)) end--;
  if (end < 0) throw new FileRefusal("broken-archive", "No directory");
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const at = view.getUint32(end + 16, true);
  if (count < MAX_16 && size < MAX_32 && at < MAX_32) return { count, at, size };
  return readEnd64(file, file.size - length + end - LOCATOR_BYTES);
}

const commentEnd = (view: DataView, end: number) => end + END_BYTES + view.getUint16(end + 20, true);

/** Reads the ZIP64 record that a locator points to. */
async function readEnd64(file: FileBytes, at: number): Promise<Directory> {
  const locator = await viewOf(file, at, LOCATOR_BYTES);
  if (locator.getUint32(0, true) !== 0x07064b50) throw new FileRefusal("broken-archive", "No ZIP64 locator");
  const record = await viewOf(file, readUint64(locator, 8), END_64_BYTES);
  if (record.getUint32(0, true) !== 0x06064b50) throw new FileRefusal("broken-archive", "No ZIP64 record");
  return { count: readUint64(record, 32), size: readUint64(record, 40), at: readUint64(record, 48) };
}

function readUint64(view: DataView, at: number): number {
  if (at + 8 > view.byteLength) throw new FileRefusal("broken-archive", "A record is cut");
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw new FileRefusal("broken-archive", "A size is too large");
  return value;
}

function readRecord(view: DataView, at: number): { entry: ZipEntry; length: number } {
  const isRecord = at + RECORD_BYTES <= view.byteLength && view.getUint32(at, true) === 0x02014b50;
  if (!isRecord) throw new FileRefusal("broken-archive", "No entry");
  const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
  const length = RECORD_BYTES + nameLength + extraLength + view.getUint16(at + 32, true);
  if (at + length > view.byteLength) throw new FileRefusal("broken-archive", "An entry is cut");
  const nameAt = view.byteOffset + at + RECORD_BYTES;
  const extra = new DataView(view.buffer, nameAt + nameLength, extraLength);
  const entry = {
    name: utf8Decoder().decode(new Uint8Array(view.buffer, nameAt, nameLength)),
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    ...largeValues(view, at, extra),
  };
  return { entry, length };
}

/** Returns sizes and position of an entry. Those that do not fit into 32 bits are in the extra field of ZIP64. */
function largeValues(view: DataView, at: number, extra: DataView) {
  const zip64 = findZip64(extra);
  let read = 0;
  const numberAt = (position: number) => {
    const value = view.getUint32(position, true);
    if (value !== MAX_32 || !zip64) return value;
    return readUint64(zip64, 8 * read++);
  };
  // In the order in which the extra field has them.
  const size = numberAt(at + 24);
  const compressedSize = numberAt(at + 20);
  return { size, compressedSize, at: numberAt(at + 42) };
}

function findZip64(extra: DataView): DataView | undefined {
  for (let at = 0; at + 4 <= extra.byteLength; ) {
    const length = extra.getUint16(at + 2, true);
    if (at + 4 + length > extra.byteLength) break;
    if (extra.getUint16(at, true) === 1) return new DataView(extra.buffer, extra.byteOffset + at + 4, length);
    at += 4 + length;
  }
  return undefined;
}
