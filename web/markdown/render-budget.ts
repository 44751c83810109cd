/**
 * Limits how much of a reply is rendered as Markdown or HTML. Usual replies are far below these limits; beyond them
 * rendering would block the main thread for seconds, so the rest is shown as plain text. Each limit depends only on the
 * text before it: it does not move while a reply grows.
 */

/** In UTF-16 units. */
const MOST_TEXT = 200_000;
const MOST_TAGS = 2500;
/** In units of `costOf`: about 3,000 list items, or half as many table rows. */
const MOST_COST = 10_000;

const COST_OF_BLOCK = 4;
const COST_OF_LINE = 3;
const COST_OF_CELL = 2;
/** Cost of each of a formula's two delimiters. */
const COST_OF_FORMULA = 7;
/** Each disclosure is split and rendered like a reply. */
const COST_OF_DISCLOSURE = 50;
const MARKS = /<details|\n+|\*+|_+|~+|`+|\${2,}|[[\]<|]/gi;

const COSTS: Partial<Record<string, number>> = {
  "<details": COST_OF_DISCLOSURE,
  "|": COST_OF_CELL,
  "\n": COST_OF_LINE,
  $: COST_OF_FORMULA,
};

/** Returns a cut position of at most `end`: after a line break if there is one, and never inside a surrogate pair. */
export function cutBefore(text: string, start: number, end: number): number {
  // Only the piece is searched: a text in one line has no line break before it.
  const lineEnd = text.slice(start, end).lastIndexOf("\n");
  if (lineEnd > 0) return start + lineEnd + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end - 1 : end;
}

/** Splits Markdown into the beginning that is rendered, cut after a paragraph if possible, and the rest. */
export function splitAtRenderBudget(text: string): [rendered: string, rest: string] {
  if (text.length <= MOST_TEXT) return [text, ""];
  const paragraph = text.lastIndexOf("\n\n", MOST_TEXT - 2);
  const end = paragraph > MOST_TEXT / 2 ? paragraph + 2 : cutBefore(text, MOST_TEXT / 2, MOST_TEXT);
  return [text.slice(0, end), text.slice(end)];
}

/** Splits HTML like {@link splitAtRenderBudget}; with too many tags the first piece ends before a tag. */
export function splitHtmlAtRenderBudget(text: string): [rendered: string, rest: string] {
  const [rendered, rest] = splitAtRenderBudget(text);
  const tags = /<[a-z]/gi;
  let count = 0;
  while (count <= MOST_TAGS && tags.exec(rendered)) count += 1;
  if (count <= MOST_TAGS) return [rendered, rest];
  const end = tags.lastIndex - 2;
  return [rendered.slice(0, end), rendered.slice(end) + rest];
}

/** Returns how many of these blocks of Markdown are rendered as Markdown; at least the first. */
export function blocksWithinBudget(blocks: readonly string[]): number {
  let cost = 0;
  for (const [index, block] of blocks.entries()) {
    cost += costOf(block);
    if (cost > MOST_COST && index > 0) return index;
  }
  return blocks.length;
}

/** Estimates the rendering cost of a block. A code fence has a fixed cost, however many lines it has. */
function costOf(block: string): number {
  if (/^ {0,3}(?:```|~~~)/.test(block)) return COST_OF_BLOCK;
  let cost = COST_OF_BLOCK;
  for (const [mark] of block.matchAll(MARKS)) {
    cost += COSTS[mark.toLowerCase()] ?? COSTS[mark.charAt(0)] ?? 1;
  }
  return cost;
}

/** Returns the blocks with those from `index` on joined into one. */
export const withPlainEnd = (blocks: readonly string[], index: number): string[] => [
  ...blocks.slice(0, index),
  blocks.slice(index).join(""),
];
