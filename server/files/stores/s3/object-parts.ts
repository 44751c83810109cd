import { createHash } from "node:crypto";

/**
 * Size of a part, the smallest that S3 accepts except for the last. A put holds one in memory. Ten thousand parts, the
 * most of an object, are 52 GB.
 */
export const PART_BYTES = 5 * 1024 * 1024;

/** `sha256`: of the bytes, in hex. The bytes are overwritten by the next part. */
export type ObjectPart = { bytes: Buffer; sha256: string; isLast: boolean };

/**
 * Regroups bytes into parts of one size; the last one may be shorter, and is empty if there are no bytes. Parts are
 * hashed as they arrive: the hash of a whole part would block the event loop for 10 ms.
 * @throws what the iteration throws
 */
export async function* partsOf(source: AsyncIterable<Uint8Array>, size = PART_BYTES): AsyncGenerator<ObjectPart> {
  const buffer = Buffer.allocUnsafeSlow(size);
  let length = 0;
  let hash = createHash("sha256");
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      if (length === size) {
        yield { bytes: buffer, sha256: hash.digest("hex"), isLast: false };
        hash = createHash("sha256");
        length = 0;
      }
      const next = piece.subarray(at, at + size - length);
      buffer.set(next, length);
      hash.update(next);
      length += next.length;
      at += next.length;
    }
  }
  yield { bytes: buffer.subarray(0, length), sha256: hash.digest("hex"), isLast: true };
}
