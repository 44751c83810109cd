/** For tests: zip archives, and damage to them. */

import { strToU8, zipSync } from "fflate";

/** Returns an archive. Entries are stored, or compressed if their content is `{ deflated }`. */
export function zipOf(entries: Record<string, string | Uint8Array | { deflated: string | Uint8Array }>): Uint8Array {
  const bytesOf = (content: string | Uint8Array) => (typeof content === "string" ? strToU8(content) : content);
  return zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, content]) => {
        const isDeflated = typeof content === "object" && "deflated" in content;
        return [name, [bytesOf(isDeflated ? content.deflated : content), { level: isDeflated ? 6 : 0 }]] as const;
      }),
    ),
  );
}

/** Signatures of the records of an archive. */
export const zipRecords = { header: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 };

/** Positions of the records with a signature. */
export function recordsOf(zip: Uint8Array, record: keyof typeof zipRecords): number[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const positions: number[] = [];
  for (let at = 0; at + 4 <= zip.length; at++) if (view.getUint32(at, true) === zipRecords[record]) positions.push(at);
  return positions;
}

/** Returns a copy of an archive with another number in a field of one of its records. `size`: of the field in bytes. */
export function withField(
  zip: Uint8Array,
  record: keyof typeof zipRecords,
  { index = 0, at, size, value }: { index?: number; at: number; size: 2 | 4; value: number },
): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(zip);
  const view = new DataView(copy.buffer);
  const position = (recordsOf(zip, record)[index] ?? Number.NaN) + at;
  if (size === 2) view.setUint16(position, value, true);
  else view.setUint32(position, value, true);
  return copy;
}

/** Returns an archive whose directory is described by ZIP64 records. `at`: position of the directory that they state. */
export function withZip64End(zip: Uint8Array, at?: bigint): Uint8Array<ArrayBuffer> {
  const [end = 0] = recordsOf(zip, "end");
  const old = new DataView(zip.buffer, zip.byteOffset + end);
  const record = new DataView(new ArrayBuffer(76));
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(4, 44n, true);
  record.setBigUint64(24, BigInt(old.getUint16(10, true)), true);
  record.setBigUint64(32, BigInt(old.getUint16(10, true)), true);
  record.setBigUint64(40, BigInt(old.getUint32(12, true)), true);
  record.setBigUint64(48, at ?? BigInt(old.getUint32(16, true)), true);
  record.setUint32(56, 0x07064b50, true);
  record.setBigUint64(64, BigInt(end), true);
  record.setUint32(72, 1, true);
  const full = new Uint8Array([...zip.slice(0, end), ...new Uint8Array(record.buffer), ...zip.slice(end)]);
  return withField(withField(full, "end", { at: 10, size: 2, value: 0xffff }), "end", {
    ...{ at: 16, size: 4, value: 0xffff_ffff },
  });
}
