import { AscendingSearch } from "./ascending-search.ts";
import { fenceEnd } from "./fence-end.ts";
import { LONGEST_FORMULA } from "./formula-limits.ts";
import { SINGLE_DOLLARS, singleFormula } from "./single-dollars.ts";

/**
 * The beginning of code (group 1: its fence), of a formula in dollars (group 2: its line's prefix), in brackets, or of an
 * environment at the beginning of a line (group 3: its line's prefix; 4: its name). `$5/$6` are prices.
 */
const OPENER =
  /^ {0,3}(`{3,}|~{3,})|`+|^([ \t>]*)\$\$(?!\$)|\$\$+|(?<!\w|\/(?=\$\d))\$(?=[^\s$])|^([ \t>]*)\\begin\{((?:align|gather|equation|alignat)\*?)\}|\\{1,2}[[(]|\\\$/gm;
const SINGLE = new RegExp(SINGLE_DOLLARS, "y");

type Formula = { text: string; end: number };

/** A replaced range of the text. `shift`: what the replaced ranges before it add to positions (UTF-16 units). */
type Replaced = { start: number; end: number; length: number; shift: number };

/** `positionOf`: position in the new text of a position in the old one (UTF-16 units). */
export type RewrittenFormulas = { text: string; positionOf: (at: number) => number };

/** Returns the text of {@link rewriteFormulas}. */
export const dollarFormulas = (markdown: string): string => rewriteFormulas(markdown).text;

/**
 * Rewrites formulas as models write them to the syntax of remark-math: `\(…\)` to inline dollars; `\[…\]` and dollars
 * at the beginning of a line to `$$` on lines of their own. Otherwise text beside such dollars would be lost. Does not
 * change code. Linear in the text's length, however many openers have no end.
 */
export function rewriteFormulas(markdown: string): RewrittenFormulas {
  const after = new Finder(markdown);
  const pieces: string[] = [];
  const replaced: Replaced[] = [];
  let copied = 0;
  let shift = 0;
  const opener = new RegExp(OPENER);
  for (let found = opener.exec(markdown); found; found = opener.exec(markdown)) {
    const [mark, fence, prefix, indent, environment] = found;
    const start = opener.lastIndex;
    if (fence !== undefined) opener.lastIndex = fenceEnd(markdown, start, fence);
    else if (mark.startsWith("`")) opener.lastIndex = after.spanEnd(start, mark.length) ?? start;
    else {
      const formula =
        environment !== undefined
          ? environmentOf(environment, indent ?? "", found.index, after)
          : prefix === undefined
            ? bracketed(mark, start, after)
            : lineOfDollars(prefix, start, after);
      if (formula === null) continue;
      if (formula.text !== "") {
        pieces.push(markdown.slice(copied, found.index), formula.text);
        copied = formula.end;
        const { length } = formula.text;
        replaced.push({ start: found.index, end: copied, length, shift });
        shift += length - (copied - found.index);
      }
      opener.lastIndex = formula.end;
    }
  }
  return {
    text: copied === 0 ? markdown : pieces.join("") + markdown.slice(copied),
    positionOf: (at) => positionAfter(replaced, at),
  };
}

/** Returns a position after the replacements; one within a formula stays as far behind its beginning. */
function positionAfter(replaced: readonly Replaced[], at: number): number {
  const last = lastBefore(replaced, at);
  if (last === undefined) return at;
  const { start, end, length, shift } = last;
  return at < end ? start + shift + Math.min(at - start, length) : at + shift + length - (end - start);
}

/** Returns the last range that begins before a position, by binary search. */
function lastBefore(replaced: readonly Replaced[], at: number): Replaced | undefined {
  let low = 0;
  let high = replaced.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((replaced[middle]?.start ?? at) < at) low = middle + 1;
    else high = middle;
  }
  return replaced[low - 1];
}

/** Reads a formula in brackets or within a line. An empty `text` means unchanged; null means without an end. */
function bracketed(mark: string, start: number, after: Finder): Formula | null {
  if (mark === "$") return single(start, after.text);
  if (mark.startsWith("$")) {
    const end = after.next(mark, start);
    return end > after.next("\n\n", start) ? null : { text: "", end: end + mark.length };
  }
  if (mark.endsWith("$")) return null;
  const isBlock = mark.endsWith("[");
  const isDoubled = mark.length === 3;
  const close = `${isDoubled ? "\\" : ""}\\${isBlock ? "]" : ")"}`;
  const end = after.next(close, start);
  if (end - start > LONGEST_FORMULA || (!isBlock && after.next("\n", start) < end)) return null;
  const written = after.text.slice(start, end).trim();
  const formula = isDoubled ? withSingleBackslashes(written) : written;
  return { text: isBlock ? `\n$$\n${formula}\n$$\n` : `$$${formula}$$`, end: end + close.length };
}

/** In brackets with doubled backslashes, as of JSON, the commands usually have them too. */
const withSingleBackslashes = (formula: string): string =>
  /(?<!\\)(?:\\\\)*\\(?!\\)/.test(formula) ? formula : formula.replaceAll("\\\\", "\\");

/** Reads an environment of formulas that begins a line. `start`: of the line. */
function environmentOf(name: string, prefix: string, start: number, after: Finder): Formula | null {
  const close = `\\end{${name}}`;
  const end = after.next(close, start);
  if (end - start > LONGEST_FORMULA || after.next("\n\n", start) < end) return null;
  const restEnd = Math.min(after.next("\n", end), after.text.length);
  if (after.text.slice(end + close.length, restEnd).trim() !== "") return null;
  const body = after.text.slice(start, end + close.length);
  return { text: `${prefix}$$\n${body}\n${prefix}$$`, end: end + close.length };
}

function single(start: number, text: string): Formula | null {
  SINGLE.lastIndex = start;
  const words = SINGLE.exec(text)?.[1];
  const formula = words === undefined ? null : singleFormula(words);
  if (words === undefined || formula === null) return null;
  return { text: `$$${formula}$$`, end: start + words.length + 1 };
}

/** Reads a formula whose dollars begin a line. `prefix`: prefix of each of its lines, such as a quote marker. */
function lineOfDollars(prefix: string, start: number, after: Finder): Formula | null {
  const { text } = after;
  const close = after.next("$$", start);
  const end = Math.min(close, text.length);
  const lineEnd = Math.min(after.next("\n", start), text.length);
  const isOnOwnLine = text.slice(start, Math.min(end, lineEnd)).trim() === "";
  if (close > text.length) return isOnOwnLine ? null : { text: `${prefix}$$\n${prefix}`, end: start };
  const restEnd = Math.min(after.next("\n", end), text.length);
  const hasRest = text.slice(end + 2, restEnd).trim() !== "";
  if (lineEnd > end && hasRest) return { text: "", end: end + 2 };
  const inner = text.slice(isOnOwnLine ? lineEnd + 1 : start, end).replace(/(?:\n[ \t>]*|[ \t]+)$/, "");
  const body = isOnOwnLine ? inner : prefix + inner.trimStart();
  return { text: `${prefix}$$\n${body}\n${prefix}$$${hasRest ? `\n${prefix}` : ""}`, end: end + 2 };
}

class Finder extends AscendingSearch {
  #runs: Map<number, number[]> | undefined;

  /** Returns the end of the code span that `length` backticks before `from` began; undefined if it has no end. */
  spanEnd(from: number, length: number): number | undefined {
    this.#runs ??= this.#readRuns();
    const places = this.#runs.get(length) ?? [];
    while ((places.at(-1) ?? from) < from) places.pop();
    const place = places.pop();
    return place === undefined ? undefined : place + length;
  }

  /** Returns the positions of all runs of backticks by run length, last first. */
  #readRuns(): Map<number, number[]> {
    const runs = new Map<number, number[]>();
    for (const { 0: marks, index } of this.text.matchAll(/`+/g)) {
      const places = runs.get(marks.length) ?? [];
      places.push(index);
      runs.set(marks.length, places);
    }
    for (const places of runs.values()) places.reverse();
    return runs;
  }
}
