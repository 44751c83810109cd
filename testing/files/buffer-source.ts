import type { ByteSource } from "../../server/files/byte-source.ts";

/** A source in memory. `reads`: the length in bytes of each read so far. */
export type BufferSource = ByteSource & { readonly reads: readonly number[] };

/** Returns the bytes as a source. */
export function bufferSource(bytes: Buffer): BufferSource {
  const reads: number[] = [];
  return {
    size: bytes.length,
    reads,
    read: async (at, length) => {
      const block = bytes.subarray(at, at + length);
      reads.push(block.length);
      return block;
    },
  };
}
