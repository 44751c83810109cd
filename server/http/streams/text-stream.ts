import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

/** UTF-16 units that are encoded and written at a time, which takes about 3 ms. */
export const SLICE_CHARS = 256 * 1024;

/** UTF-16 units to which short pieces are joined. A chat may have tens of thousands; a write for each takes seconds. */
const JOINED_CHARS = 64 * 1024;

/** Returns a response body of pieces of text, which are read only as fast as the client reads (backpressure). */
export function textStream(pieces: AsyncIterable<string>): Readable {
  return Readable.from(slicesOf(joinShort(pieces)), { highWaterMark: 1 });
}

async function* joinShort(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let joined = "";
  for await (const piece of pieces) {
    joined += piece;
    if (joined.length < JOINED_CHARS) continue;
    yield joined;
    joined = "";
  }
  yield joined;
}

/** Cuts long pieces, because encoding several megabytes at once would block the event loop. */
async function* slicesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    for (let start = 0, end = 0; start < piece.length; start = end) {
      if (start > 0) await setImmediate();
      end = endOfSlice(piece, start);
      yield piece.slice(start, end);
    }
  }
}

/** Returns the end of a slice. Slices are encoded separately, so a surrogate pair must not be split. */
function endOfSlice(text: string, start: number): number {
  const end = start + SLICE_CHARS;
  const isPairCut = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return isPairCut ? end - 1 : end;
}
