/** Records of a zip archive whose entries are stored without compression (PKWARE's APPNOTE 6.3.10, section 4.3). */

/** A complete entry. `crc`: CRC-32 of its bytes; `size` and `offset` of its header in bytes. */
export type EntryFacts = { name: Buffer; modifiedAt: number; crc: number; size: number; offset: number };

/** Largest values of fields without ZIP64; fields with these values refer to the ZIP64 record. */
const MAX_16 = 0xffff;
const MAX_32 = 0xffff_ffff;
/** Bit 3: sizes and CRC are behind the bytes. Bit 11: the name is UTF-8. */
const FLAGS = 0x0808;
/** Version of the format that a reader must support, in tenths: 2.0; 4.5 for ZIP64. */
const PLAIN_VERSION = 20;
const ZIP64_VERSION = 45;
/** The name is that of a regular file on a Unix system (upper byte 3), which all may read and its owner may write. */
const MADE_BY_UNIX = 3 << 8;
const REGULAR_FILE = (0o100644 << 16) >>> 0;

/** Returns the header before the bytes of an entry. */
export function localHeader({ name, modifiedAt }: Pick<EntryFacts, "name" | "modifiedAt">): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(PLAIN_VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt32LE(dosTime(modifiedAt), 10);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** Returns the record behind the bytes of an entry. */
export function dataDescriptor({ crc, size }: Pick<EntryFacts, "crc" | "size">): Buffer {
  const isLarge = size >= MAX_32;
  const descriptor = Buffer.alloc(isLarge ? 24 : 16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  // Compressed and uncompressed size.
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(size), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(size, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

/** Returns the record of an entry in the central directory. */
export function directoryRecord({ name, modifiedAt, crc, size, offset }: EntryFacts): Buffer {
  const large = [...(size >= MAX_32 ? [size, size] : []), ...(offset >= MAX_32 ? [offset] : [])];
  const extra = zip64Extra(large);
  const version = large.length > 0 ? ZIP64_VERSION : PLAIN_VERSION;
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_BY_UNIX | version, 4);
  record.writeUInt16LE(version, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt32LE(dosTime(modifiedAt), 12);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(Math.min(size, MAX_32), 20);
  record.writeUInt32LE(Math.min(size, MAX_32), 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(REGULAR_FILE, 38);
  record.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([record, name, extra]);
}

/** Returns the extra field with the values that do not fit into 32 bits; empty without any. */
function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return extra;
}

/** Returns the end of an archive, with the ZIP64 records if a value needs them. `offset` and `size` of the directory. */
export function endOfArchive({ count, offset, size }: { count: number; offset: number; size: number }): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(size, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (count < MAX_16 && size < MAX_32 && offset < MAX_32) return end;
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(MADE_BY_UNIX | ZIP64_VERSION, 12);
  record.writeUInt16LE(ZIP64_VERSION, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end]);
}

const FIRST_YEAR = 1980;
const LAST_YEAR = FIRST_YEAR + 127;

/** Returns a Unix time (ms) as MS-DOS has it, in UTC and steps of two seconds: the time in 16 bits below the date. */
function dosTime(at: number): number {
  const date = new Date(at);
  const year = Math.min(Math.max(date.getUTCFullYear(), FIRST_YEAR), LAST_YEAR);
  const day = ((year - FIRST_YEAR) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
