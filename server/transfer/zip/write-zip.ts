import { crc32 } from "node:zlib";
import { dataDescriptor, directoryRecord, type EntryFacts, endOfArchive, localHeader } from "./zip-records.ts";

/** A file of an archive. `modifiedAt`: Unix time in ms. */
export type ZipEntry = { name: string; modifiedAt: number; bytes: AsyncIterable<Uint8Array> };

/**
 * Yields a zip archive of entries that are stored without compression, as its bytes are asked for. Memory holds one
 * piece of an entry, and the names of all entries. Sizes follow the bytes, so that no entry is read twice; archives and
 * entries of 4 GB or more, and more than 65,534 entries, have ZIP64 records.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: EntryFacts[] = [];
  let offset = 0;
  for await (const { name, modifiedAt, bytes } of entries) {
    const facts: EntryFacts = { name: Buffer.from(name), modifiedAt, crc: 0, size: 0, offset };
    const header = localHeader(facts);
    yield header;
    for await (const piece of bytes) {
      facts.crc = crc32(piece, facts.crc);
      facts.size += piece.length;
      yield piece;
    }
    const descriptor = dataDescriptor(facts);
    yield descriptor;
    offset += header.length + facts.size + descriptor.length;
    written.push(facts);
  }
  let size = 0;
  for (const facts of written) {
    const record = directoryRecord(facts);
    size += record.length;
    yield record;
  }
  yield endOfArchive({ count: written.length, offset, size });
}
