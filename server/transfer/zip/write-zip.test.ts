import { buffer } from "node:stream/consumers";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { writeZip, type ZipEntry } from "./write-zip.ts";
import { dataDescriptor, directoryRecord, endOfArchive } from "./zip-records.ts";

async function* piecesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const zipOf = (entries: readonly ZipEntry[]) =>
  buffer(
    writeZip(
      (async function* () {
        yield* entries;
      })(),
    ),
  );

const NOON = Date.UTC(2026, 1, 3, 12, 34, 57);

describe("zip archives", () => {
  it("a zip archive has entries of any number of pieces under UTF-8 names", async () => {
    const zip = await zipOf([
      { name: "chats.json", modifiedAt: NOON, bytes: piecesOf("{", "}") },
      { name: "files/ü 漢.txt", modifiedAt: NOON, bytes: piecesOf() },
    ]);
    const entries = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]);
    expect(entries).toEqual([
      ["chats.json", "{}"],
      ["files/ü 漢.txt", ""],
    ]);
    // UTF-8 flag and data descriptor; stored.
    expect([zip.readUInt16LE(6), zip.readUInt16LE(8)]).toEqual([0x0808, 0]);
    const [time, date] = [zip.readUInt16LE(10), zip.readUInt16LE(12)];
    expect([(date >> 9) + 1980, (date >> 5) & 15, date & 31, time >> 11, (time >> 5) & 63, time & 31]).toEqual([
      ...[2026, 2, 3, 12, 34, 28],
    ]);
  });

  it("a zip archive without entries is valid", async () => {
    expect(unzipSync(await zipOf([]))).toEqual({});
  });
});

describe("zip records beyond 4 GB", () => {
  const LARGE = 5_000_000_000;
  const MAX_32 = 0xffff_ffff;
  const facts = { name: Buffer.from("a"), modifiedAt: NOON, crc: 7, size: 3, offset: 9 };

  it("zip records beyond 4 GB have their numbers in the extra field, only those that need it", () => {
    const extraOf = (record: Buffer) => record.subarray(47);
    expect(extraOf(directoryRecord(facts))).toHaveLength(0);
    const far = directoryRecord({ ...facts, offset: LARGE });
    expect([far.readUInt16LE(6), far.readUInt16LE(30), far.readUInt32LE(20), far.readUInt32LE(42)]).toEqual([
      ...[45, 12, 3, MAX_32],
    ]);
    expect([extraOf(far).readUInt16LE(0), extraOf(far).readUInt16LE(2), extraOf(far).readBigUInt64LE(4)]).toEqual([
      ...[1, 8, BigInt(LARGE)],
    ]);
    const large = directoryRecord({ ...facts, size: LARGE, offset: LARGE + 1 });
    expect([large.readUInt32LE(20), large.readUInt32LE(24), extraOf(large).readUInt16LE(2)]).toEqual([
      ...[MAX_32, MAX_32, 24],
    ]);
    expect([4, 12, 20].map((at) => extraOf(large).readBigUInt64LE(at))).toEqual(
      [LARGE, LARGE, LARGE + 1].map((value) => BigInt(value)),
    );
  });

  it("zip records beyond 4 GB have sizes of 64 bits behind the bytes", () => {
    expect(dataDescriptor({ crc: 7, size: MAX_32 - 1 })).toHaveLength(16);
    const descriptor = dataDescriptor({ crc: 7, size: MAX_32 });
    expect([descriptor.length, descriptor.readBigUInt64LE(8), descriptor.readBigUInt64LE(16)]).toEqual([
      ...[24, BigInt(MAX_32), BigInt(MAX_32)],
    ]);
  });

  it("a locator at the end finds zip records beyond 4 GB, and more than 65,534 entries", () => {
    expect(endOfArchive({ count: 65_534, offset: 100, size: 50 })).toHaveLength(22);
    const many = endOfArchive({ count: 65_535, offset: 100, size: 50 });
    expect([many.length, many.readBigUInt64LE(32), many.readUInt16LE(76 + 10)]).toEqual([98, 65_535n, 0xffff]);
    const end = endOfArchive({ count: 1, offset: LARGE, size: 50 });
    expect([end.length, end.readBigUInt64LE(24), end.readBigUInt64LE(40), end.readBigUInt64LE(48)]).toEqual([
      ...[98, 1n, 50n, BigInt(LARGE)],
    ]);
    expect([end.readUInt32LE(56), end.readBigUInt64LE(64), end.readUInt32LE(76 + 16)]).toEqual([
      ...[0x07064b50, BigInt(LARGE + 50), MAX_32],
    ]);
  });
});
