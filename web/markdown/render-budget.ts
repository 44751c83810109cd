/**
 * How much of a reply is set in its form. What people read is far below these numbers; beyond them a page would not answer
 * for seconds, so that the rest is shown as it came. Each bound depends on what is before it only: it does not move while
 * a reply grows.
 */

/** In UTF-16 units. */
const MOST_TEXT = 200_000;
const MOST_TAGS = 2500;
/** In the units of `costOf`: some 3,000 items of a list, or half as many rows of a table. */
const MOST_COST = 10_000;

const COST_OF_BLOCK = 4;
const COST_OF_LINE = 3;
const COST_OF_CELL = 2;
/** Of either end of one. */
const COST_OF_FORMULA = 7;
const MARKS = /\n+|\*+|_+|~+|`+|\${2,}|[[\]<|]/g;

const COSTS: Partial<Record<string, number>> = { "|": COST_OF_CELL, "\n": COST_OF_LINE, $: COST_OF_FORMULA };

/** A place before `end`, at the end of a line where there is one, and never within a character. */
export function cutBefore(text: string, start: number, end: number): number {
  const lineEnd = text.lastIndexOf("\n", end - 1);
  if (lineEnd > start) return lineEnd + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end - 1 : end;
}

/** The beginning of a text of Markdown that is set in its form, cut after a paragraph where it can be; and the rest. */
export function splitAtRenderBudget(text: string): [formed: string, rest: string] {
  if (text.length <= MOST_TEXT) return [text, ""];
  const paragraph = text.lastIndexOf("\n\n", MOST_TEXT - 2);
  const end = paragraph > MOST_TEXT / 2 ? paragraph + 2 : cutBefore(text, MOST_TEXT / 2, MOST_TEXT);
  return [text.slice(0, end), text.slice(end)];
}

/** The same of a text of HTML, which ends before a tag where it has too many. */
export function splitHtmlAtRenderBudget(text: string): [formed: string, rest: string] {
  const [formed, rest] = splitAtRenderBudget(text);
  const tags = /<[a-z]/gi;
  let count = 0;
  while (count <= MOST_TAGS && tags.exec(formed)) count += 1;
  if (count <= MOST_TAGS) return [formed, rest];
  const end = tags.lastIndex - 2;
  return [formed.slice(0, end), formed.slice(end) + rest];
}

/** How many of these blocks of Markdown are set in their form. */
export function blocksWithinBudget(blocks: readonly string[]): number {
  let cost = 0;
  for (const [place, block] of blocks.entries()) {
    cost += costOf(block);
    if (cost > MOST_COST && place > 0) return place;
  }
  return blocks.length;
}

/** Code costs no more for its lines. */
function costOf(block: string): number {
  if (/^ {0,3}(?:```|~~~)/.test(block)) return COST_OF_BLOCK;
  let cost = COST_OF_BLOCK;
  for (const [mark] of block.matchAll(MARKS)) {
    cost += COSTS[mark.charAt(0)] ?? 1;
  }
  return cost;
}

/** The blocks, those from this place on being one. */
export const withPlainEnd = (blocks: readonly string[], place: number): string[] => [
  ...blocks.slice(0, place),
  blocks.slice(place).join(""),
];
