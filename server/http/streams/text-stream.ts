import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

/** Units (UTF-16) that are encoded and written at a time: about 3 ms. */
export const SLICE_CHARS = 256 * 1024;

/** Short pieces are joined to so many units: a chat may have tens of thousands, and a write each takes seconds. */
const JOINED_CHARS = 64 * 1024;

/** A response's body of pieces of text, which are read as fast as their reader takes them. */
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

/** Cuts long pieces: to encode one of some megabytes at once would hold the event loop. */
async function* slicesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    for (let start = 0, end = 0; start < piece.length; start = end) {
      if (start > 0) await setImmediate();
      end = endOfSlice(piece, start);
      yield piece.slice(start, end);
    }
  }
}

/** Each slice is encoded by itself: both halves of a surrogate pair are in the same one. */
function endOfSlice(text: string, start: number): number {
  const end = start + SLICE_CHARS;
  const isPairCut = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return isPairCut ? end - 1 : end;
}
