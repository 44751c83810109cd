import { findQuote } from "#contract/conversation/citations/find-quote.ts";

/** Length (UTF-16 units) of the text that is shown around a quote. */
const AROUND = 240;
const SPACE = /\s/;

/** A passage of a source; `quote` is empty if it is the beginning. */
export type Passage = { before: string; quote: string; after: string };

/** Returns the passage of a snapshot around a quote; undefined if the snapshot lacks the quote. */
export function passageAround(snapshot: string, quote: string): Passage | undefined {
  const found = findQuote(snapshot, quote);
  if (!found) return undefined;
  const start = found.from > AROUND ? startOfWord(snapshot, found.from - AROUND, found.from) : 0;
  return {
    before: (start > 0 ? "…" : "") + snapshot.slice(start, found.from).trimStart(),
    quote: snapshot.slice(found.from, found.to),
    after: cutAfter(snapshot, found.to, AROUND),
  };
}

/** Returns the beginning of a snapshot. */
export const beginningOf = (snapshot: string): Passage => ({
  before: cutAfter(snapshot.trimStart(), 0, 2 * AROUND),
  quote: "",
  after: "",
});

/** Returns the text of `length` from a position on, cut behind a word. */
function cutAfter(text: string, from: number, length: number): string {
  const limit = from + length;
  if (limit >= text.length) return text.slice(from).trimEnd();
  let end = limit;
  while (end > from && !SPACE.test(text[end] ?? "")) end -= 1;
  return `${text.slice(from, end > from ? end : wholeCharacter(text, limit)).trimEnd()}…`;
}

function startOfWord(text: string, from: number, limit: number): number {
  let start = from;
  while (start < limit && !SPACE.test(text[start - 1] ?? "")) start += 1;
  return start < limit ? start : wholeCharacter(text, from);
}

/** Returns a position that is not within a surrogate pair. */
function wholeCharacter(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit <= 0xdfff ? position + 1 : position;
}
