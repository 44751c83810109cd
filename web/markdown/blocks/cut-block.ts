import { alertKinds } from "#contract/text/alerts.ts";
import { blockElements } from "#contract/text/html/elements.ts";
import { readCodeFence } from "./code-fence.ts";
import { isDisclosure } from "./disclosure.ts";

/**
 * `prefix`: text that the rest must begin with to be parsed as the same kind of block: a table's head, or the first line
 * of an alert.
 */
export type Cut = { piece: string; rest: string; prefix: string };

const TABLE_HEAD = /^ {0,3}[^\n|]*\|[^\n]*\n {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n/;
const ALERT_HEAD = new RegExp(String.raw`^ {0,3}> ?\[!(?:${alertKinds.join("|")})\][ \t]*\n(?= {0,3}>)`, "i");
const HTML_BLOCK = new RegExp(String.raw`^ {0,3}<(?:${[...blockElements].join("|")}|center)[\s>]`, "i");
const NEXT_ROW = /\n(?=\S)/g;
const LIST = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
const NEXT_ITEM = /\n(?=(?:[-*+]|\d{1,9}[.)])[ \t]+\S)/g;
const NEXT_QUOTE = /\n(?=>)/g;
// Only before a letter: a line that begins with a sign or a number may be parsed as a list, a heading or code.
const NEXT_LINE = /\n(?=\p{L})/gu;
const NEXT_SENTENCE = /[.!?…]["”’)]* (?=\p{L})|[。！？](?=\p{L})/gu;
/** Share of the limit for tables, which cost more than other blocks of the same length. */
const TABLE_SHARE = 0.5;
/** Text without any of these boundaries is cut anywhere, but only at this many times the limit. */
const HARD_CUT = 4;
/** At this many times the limit any block is cut: an uncut block is parsed as a whole at each update. */
const HARDEST_CUT = 16;

/** Returns the last position within `limit` where the pattern allows a cut, else the first after it, else null. */
function cutPosition(pattern: RegExp, block: string, from: number, limit: number): number | null {
  const matcher = new RegExp(pattern);
  matcher.lastIndex = from;
  let last: number | null = null;
  for (let match = matcher.exec(block); match !== null; match = matcher.exec(block)) {
    if (matcher.lastIndex > limit) return last ?? matcher.lastIndex;
    last = matcher.lastIndex;
  }
  return last;
}

/** Cuts a long block of Markdown near `limit` (UTF-16 units); null if it is short or must stay whole. */
export function cutBlock(block: string, limit: number): Cut | null {
  if (block.length <= limit || readCodeFence(block) || isDisclosure(block)) return null;
  const isHuge = block.length > HARDEST_CUT * limit;
  if (isHuge) return cutNear(block.slice(0, HARDEST_CUT * limit), block, limit) ?? cutAt(block, anywhere(block, limit));
  return block.includes("$$") || HTML_BLOCK.test(block) ? null : cutNear(block, block, limit);
}

/** Cuts at a boundary of the block's syntax. `near`: the beginning of the block; only it is searched. */
function cutNear(near: string, block: string, limit: number): Cut | null {
  const head = TABLE_HEAD.exec(near)?.[0];
  if (head !== undefined) return cutAt(block, cutPosition(NEXT_ROW, near, head.length, limit * TABLE_SHARE), head);
  if (LIST.test(near)) return cutAt(block, cutPosition(NEXT_ITEM, near, 0, limit));
  if (near.startsWith(">")) {
    const alert = ALERT_HEAD.exec(near)?.[0] ?? "";
    return cutAt(block, cutPosition(NEXT_QUOTE, near, alert.length, limit), alert);
  }
  const isLong = block.length > HARD_CUT * limit;
  const words = isLong ? near.slice(0, HARD_CUT * limit) : near;
  const line = cutPosition(NEXT_LINE, words, 0, limit);
  if (line !== null && line <= limit) return cutAt(block, line);
  const sentence = cutPosition(NEXT_SENTENCE, words, 0, limit);
  if (sentence !== null && sentence <= limit) return cutAt(block, sentence);
  return cutAt(block, isLong ? betweenCharacters(block, limit) : (line ?? sentence));
}

/** Returns the length of what each piece of a cut block repeats (UTF-16 units); 0 for most blocks. */
export const headLength = (block: string): number =>
  (TABLE_HEAD.exec(block) ?? ALERT_HEAD.exec(block))?.[0].length ?? 0;

/** Joins two pieces of a cut table; `next` repeats the head of `block`. Null if they are not of one table. */
export function joinTable(block: string, next: string): string | null {
  const head = TABLE_HEAD.exec(block)?.[0];
  return head !== undefined && next.startsWith(head) ? block + next.slice(head.length) : null;
}

function cutAt(block: string, position: number | null, prefix = ""): Cut | null {
  if (position === null || position >= block.length) return null;
  return { piece: block.slice(0, position), rest: block.slice(position), prefix };
}

/** Returns a cut position: after a line break if there is one, else between characters. */
function anywhere(text: string, limit: number): number {
  const lineEnd = text.lastIndexOf("\n", limit - 1);
  return lineEnd > 0 ? lineEnd + 1 : betweenCharacters(text, limit);
}

function betweenCharacters(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit <= 0xdfff ? position + 1 : position;
}
