/**
 * Size of a row of bytes. A put or an append holds one in memory, a stream too. Rows of other sizes can be read.
 */
export const CHUNK_BYTES = 256 * 1024;

/**
 * Regroups bytes into chunks of `size`; the last one may be shorter. If the iteration fails, yields what has arrived
 * before the failure first.
 * @throws what the iteration throws
 */
export async function* inChunks(bytes: AsyncIterable<Uint8Array>, size = CHUNK_BYTES): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let failure: { error: unknown } | undefined;
  const take = () => {
    const chunk = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return chunk;
  };
  try {
    for await (const piece of bytes) {
      for (let at = 0; at < piece.length; ) {
        const next = piece.subarray(at, at + size - length);
        pieces.push(next);
        length += next.length;
        at += next.length;
        if (length === size) yield take();
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (length > 0) yield take();
  if (failure) throw failure.error;
}
