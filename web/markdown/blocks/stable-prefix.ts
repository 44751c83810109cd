/**
 * Decides how much of a growing text of Markdown may be rendered. The meaning of its last characters can depend on the
 * next ones: `-` may begin a list item, a rule or a heading. They are held back, so that no mark appears only briefly.
 */

import { alertKinds } from "#contract/text/alerts.ts";
import { blockElements, inlineElements, voidElements } from "#contract/text/html/elements.ts";
import { oldElements } from "#contract/text/html/old-elements.ts";
import { SINGLE_DOLLARS, singleFormula } from "#contract/text/single-dollars.ts";

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)$/gm;
/**
 * A last line of only block marks, a checkbox or a number: of a list, a heading, a quote, a rule or a table. White space
 * matches in one way only: else a line of it takes cubic time.
 */
const MARKS_ALONE =
  /^(?=([ \t>]*))\1(?=((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*))\2(?:[-=_*+`~|#>\s]*|(?:\d{1,9}[.)]?|\[[ xX]?\]?)[ \t]*)$/;
const OPENED_FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}[^`]*|~{3,}.*)$/;
/** First line of a quote that is an alert's marker, complete or not, with empty lines of the quote. */
const ALERT_ALONE = new RegExp(
  String.raw`(?<=^|\n)(?<!(?:^|\n) {0,3}>[^\n]*\n) {0,3}> ?\[(?:!(?:[a-z]{1,9}|` +
    String.raw`(?:${alertKinds.join("|")})\][ \t]*(?:\n(?: {0,3}>[ \t]*\n?)*)?)?)?$`,
  "i",
);
const DEFINITION = /^ {0,3}\[[^\]]+\]:/;
const ROW = /^[ \t>]*\|/;
/** The first bar within a line with little text after it: maybe the head of a table without outer bars. */
const INNER_BAR = /[ \t]+\|(?=[ \t]|$)[^\n]{0,80}$/;
const DIVIDER = /^[ \t>]*\|?[-:| \t]*$/;
const WHOLE_DIVIDER = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/m;

/** Endings of a text that may be the incomplete beginning of a construct. */
const ENDS: readonly RegExp[] = [
  ALERT_ALONE,
  // Emphasis, code, links and pictures, escapes. A run matches from its beginning only: else it takes quadratic time.
  /(?:(?<![*_~`])[*_~`]+|(?<!\[!?)(?:!?\[)+|!|<\/?|\\|(?<!\$)\$+)$/,
  // Emphasis within an unfinished link text.
  /(?<=\[[^\]\n*_`~]{0,200})[*_`~]+[^*_`~\]\n]{0,200}[*_`~]{0,2}$/,
  // A link text before its address; a footnote.
  /\]$/,
  /\[\^[^\]\s]{0,40}$/,
  /&#?\w{0,10}$/,
  // Addresses and elements in angle brackets.
  /<(?:\/?[a-z][a-z0-9]{0,9} ?\/?|[a-z][a-z0-9+.-]{1,20}:[^\s<>]*)$/i,
];

const namesOf = (names: Iterable<string>) => [...names].filter((name) => !voidElements.has(name)).join("|");
const INLINE_NAMES = namesOf([...inlineElements, ...oldElements.keys()]);
/** Attributes of an unfinished tag. A word without a value counts only at the end: `a<b and c` is no tag. */
const ATTRIBUTES = String.raw`(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]{0,500}(?:"|$)|'[^'<>]{0,500}(?:'|$)|[^\s"'<>]+))*(?:\s+[\w:-]*(?:\s*=\s*)?)?\/?$`;
/** Text of an element that is held back until its end tag. */
const REST = String.raw`(?:\s[^<>]{0,500})?>(?:(?!<\/\1\s*>)[^\n]){0,60}$`;
/**
 * Endings that are ignored in code, with the length of the text's end in which they may begin (UTF-16 units): each
 * beginning is tried to the end of the text. A possible price or escape is held back for at most about a sentence.
 */
const ENDS_OUTSIDE_CODE: readonly [end: RegExp, reach: number][] = [
  // The address of a link, with its title.
  [/(?<=\]\()<[^<>\n]{0,500}>?$/g, 510],
  [/(?<=\]\()(?:[^\s()]|\([^\s()]*\)){0,2000}(?:\([^\s()]*)?(?: ["'(][^"'\n]{0,200}["']?)?$/g, 2500],
  // Comments, the attributes of an element; elements within words, which are text without their end.
  [/<!(?:-(?:-(?:(?!-->)[\s\S]){0,2000})?)?$/g, 2010],
  [new RegExp(`<(?:${INLINE_NAMES}|${namesOf(blockElements)}|img|hr|br)${ATTRIBUTES}`, "gi"), 5000],
  [new RegExp(`<(${INLINE_NAMES})${REST}`, "gi"), 600],
  [new RegExp(String.raw`(?<=[^\s>][^\S\n]{0,100})<(${namesOf(blockElements)})${REST}`, "gi"), 600],
  // A disclosure before its summary.
  [/<details(?:\s[^<>]{0,60})?>?\s*(?:<[^<>]{0,60})?$/gi, 1000],
  [/<summary(?:\s[^<>]{0,60})?>(?:(?!<\/summary\s*>)[\s\S]){0,300}$/gi, 400],
  // Formulas.
  [/\\\((?:(?!\\\))[^\n]){0,200}$/g, 210],
  [/\\\[(?:(?!\\\]|\n[ \t>]*\n)[\s\S]){0,1500}$/g, 1510],
  [/(?<=^|\n)[ \t>]*\\begin\{[a-z]{0,9}\*?(?:\}(?:(?!\\end\{[a-z]+\*?\}|\n[ \t>]*\n)[\s\S]){0,1500})?$/g, 2000],
  [/(?<![\w$\\])\$(?:\d[^$\n]{0,15}|[^\s$\d"”’»),;][^$\n]{0,120})$/g, 130],
];
/** A formula in double dollars, complete or unfinished; without an end in its paragraph it is not a formula. */
const DOUBLE_DOLLARS = /\$\$+(?:(?!\$\$|\n[ \t>]*\n)[\s\S]){0,1500}(?:\$\$+|$)?/g;
/** An inline code span, complete or unfinished. */
export const CODE_SPAN =
  /(?<!`)(?:`(?!`)(?:[^`\n]|\n(?!\n))*(?:`(?!`)|$)|``(?!`)(?:[^`\n]|`(?!`)|\n(?!\n))*(?:``(?!`)|$))/g;
/** A complete formula in single dollars. */
const FORMULA = new RegExp(`(?<![\\w$\\\\])\\$${SINGLE_DOLLARS}(?=[^])`, "g");
/** Length of the text's end that is searched (UTF-16 units). */
const SEARCHED_LENGTH = 5000;
/** A longer line is not treated as the head of a table, nor as marks of a block. */
const LONGEST_HEAD = 1000;
/** Maximum number of passes: one unfinished construct may end directly before another. */
const MOST_ROUNDS = 8;

/** Returns the beginning of `text` that no further text changes. At most linear in the text's length, usually less. */
export function stablePrefix(text: string): string {
  const { isOpen, end, mathsFrom } = lastFence(text);
  if (mathsFrom !== undefined) return text.slice(0, mathsFrom);
  if (isOpen) return withoutFenceEnd(text);
  const start = Math.max(end, text.length - SEARCHED_LENGTH);
  const near = text.slice(start);
  const outsideCode = near.replaceAll(CODE_SPAN, blank).replaceAll(FORMULA, blankFormula);
  const isWhole = start === end;
  let stable = near;
  for (let before = "", round = 0; before !== stable && round < MOST_ROUNDS; round += 1) {
    before = stable;
    const words = ENDS_OUTSIDE_CODE.reduce(withoutNearEnd, withoutFormula(outsideCode.slice(0, stable.length)));
    stable = withoutMarks(stable.slice(0, words.length));
    stable = withoutTableHead(stable, isWhole);
    stable = ENDS.reduce(withoutEnd, stable);
  }
  return text.slice(0, start + stable.length);
}

/** Replaces text by neutral characters of the same length. */
const blank = (part: string) => "x".repeat(part.length);
const blankFormula = (part: string, words: string) => (singleFormula(words) === null ? part : blank(part));

/**
 * Returns whether the text ends in a fenced block, on a line after its opening, and where the last block ended.
 * `mathsFrom`: start of an open block that becomes a formula.
 */
function lastFence(text: string): { isOpen: boolean; end: number; mathsFrom?: number | undefined } {
  let open: string | undefined;
  let mathsFrom: number | undefined;
  let end = 0;
  if (!text.includes("```") && !text.includes("~~~")) return { isOpen: false, end };
  for (const { 1: marks = "", 2: rest = "", index, 0: line } of text.matchAll(FENCE)) {
    const isOnLastLine = index + line.length === text.length;
    if (open === undefined) {
      if (isOnLastLine || (marks.startsWith("`") && rest.includes("`"))) continue;
      open = marks;
      mathsFrom = rest.trim() === "math" ? index : undefined;
    } else if (marks.startsWith(open) && rest.trim() === "" && !isOnLastLine) {
      open = undefined;
      mathsFrom = undefined;
      end = index + line.length;
    }
  }
  return { isOpen: open !== undefined, end, mathsFrom };
}

function withoutFenceEnd(text: string): string {
  const start = lastLineStart(text);
  return /^[ \t>]*[`~]+$/.test(text.slice(start)) ? text.slice(0, Math.max(0, start - 1)) : text;
}

function withoutEnd(text: string, end: RegExp): string {
  const found = end.exec(text);
  return found ? text.slice(0, found.index) : text;
}

function withoutNearEnd(text: string, [end, reach]: readonly [RegExp, number]): string {
  end.lastIndex = Math.max(0, text.length - reach);
  const found = end.exec(text);
  return found ? text.slice(0, found.index) : text;
}

const lastLineStart = (text: string) => text.lastIndexOf("\n") + 1;

function withoutMarks(text: string): string {
  const start = lastLineStart(text);
  const line = text.slice(start);
  if (line === "" || line.length > LONGEST_HEAD) return text;
  return MARKS_ALONE.test(line) || OPENED_FENCE.test(line) || DEFINITION.test(line) ? text.slice(0, start) : text;
}

/** Cuts off a possible table head until the line below decides. `isWhole`: `text` has the beginning of its block. */
function withoutTableHead(text: string, isWhole: boolean): string {
  const start = lastLineStart(text);
  const line = text.slice(start);
  const rowLength = lengthBesideRow(line);
  if (rowLength === line.length && (start === 0 || !DIVIDER.test(line))) return text;
  const blockStart = text.lastIndexOf("\n\n") + 1;
  const block = text.slice(blockStart);
  if (WHOLE_DIVIDER.test(block.slice(0, block.lastIndexOf("\n") + 1).replace(/^\n/, "") || "x")) return text;
  // Within a long table its head may be before `text`: rows are not held back.
  if (blockStart === 0 && !isWhole) return text;
  if (rowLength < line.length) return text.slice(0, start + rowLength);
  const headStart = lastLineStart(text.slice(0, start - 1));
  const head = text.slice(headStart, start - 1);
  const headLength = lengthBesideRow(head);
  return headLength < head.length ? text.slice(0, headStart + headLength) : text;
}

/** Returns how much of a line may be rendered if it may become a table row; its whole length if it cannot. */
function lengthBesideRow(line: string): number {
  if (line.length > LONGEST_HEAD || DIVIDER.test(line)) return line.length;
  if (ROW.test(line)) return 0;
  return INNER_BAR.exec(line.replaceAll(CODE_SPAN, blank))?.index ?? line.length;
}

function withoutFormula(text: string): string {
  const last = [...text.matchAll(DOUBLE_DOLLARS)].at(-1);
  if (!last || last.index + last[0].length < text.length) return text;
  return /[^$]\$\$+$/.test(last[0]) ? text : text.slice(0, last.index);
}
