import { normalizeText } from "#contract/text/normalize-text.ts";

export type Marks = [number, number][];

/** Scripts without spaces between words, as the server's search has them: a match may begin anywhere. */
const UNSPACED =
  "[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]";
/** A word, or a run of letters of scripts without spaces. */
const RUNS = new RegExp(`(?:(?=${UNSPACED})[\\p{L}\\p{N}]\\p{M}*)+|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])+`, "gu");
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, "u");
const LETTERS = /[\p{L}\p{N}]\p{M}*/gu;
const PLAIN = /^\p{ASCII}*$/u;
/** The voicing marks of Japanese make another letter, as for the server. */
const ACCENTS = /(?![\u3099\u309a])\p{M}/gu;

/** Removes accents and case. */
function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  // Upper case first, because ß is lower case already.
  const lowered = normalizeText(text, "NFKD").toUpperCase().toLowerCase();
  const plain = normalizeText(lowered, "NFKD").replace(ACCENTS, "").replaceAll("ς", "σ");
  return normalizeText(plain, "NFC");
}

/** A word of a query, folded. */
export type QueryWord = { folded: string; isUnspaced: boolean };

/** Returns the different words of a query. */
export function queryWords(query: string): QueryWord[] {
  const words = (query.match(RUNS) ?? []).map((run) => ({ folded: fold(run), isUnspaced: BEGINS_UNSPACED.test(run) }));
  return [...new Map(words.map((word) => [word.folded, word])).values()].filter(({ folded }) => folded !== "");
}

/**
 * Returns the positions of words in a text, each as the prefix of a word, or anywhere in scripts without spaces, ignoring
 * accents and case. In UTF-16 units, ascending, joined where they touch.
 * @param onFound called with each word that is there
 */
export function findWords(text: string, words: readonly QueryWord[], onFound?: (word: QueryWord) => void): Marks {
  const marks: Marks = [];
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const folded = fold(run);
    const isUnspaced = BEGINS_UNSPACED.test(run);
    const found: Marks = [];
    for (const word of words) {
      if (word.isUnspaced !== isUnspaced) continue;
      const offsets = offsetsIn(folded, word);
      if (offsets.length > 0) onFound?.(word);
      for (const at of offsets) found.push([at, at + word.folded.length]);
    }
    for (const [start, end] of positionsIn(run, folded, found)) {
      const last = marks.at(-1);
      if (last && index + start <= last[1]) last[1] = Math.max(last[1], index + end);
      else marks.push([index + start, index + end]);
    }
  }
  return marks;
}

function offsetsIn(run: string, { folded, isUnspaced }: QueryWord): number[] {
  if (!isUnspaced) return run.startsWith(folded) ? [0] : [];
  const offsets: number[] = [];
  for (let at = run.indexOf(folded); at !== -1; at = run.indexOf(folded, at + folded.length)) offsets.push(at);
  return offsets;
}

/** Returns the positions in a run of ranges of its folded text, in their order. */
function positionsIn(run: string, folded: string, ranges: Marks): Marks {
  ranges.sort(([a], [b]) => a - b);
  if (ranges.length === 0 || PLAIN.test(run)) return ranges;
  const letters: { start: number; end: number }[] = [];
  let text = "";
  for (const { 0: letter, index } of run.matchAll(LETTERS)) {
    const own = fold(letter);
    text += own;
    for (let unit = 0; unit < own.length; unit++) letters.push({ start: index, end: index + letter.length });
  }
  // Letters that became one with others: the whole run then.
  if (text !== folded) return [[0, run.length]];
  return ranges.map(([start, end]) => [letters[start]?.start ?? 0, letters[end - 1]?.end ?? run.length]);
}

/**
 * Returns the positions of a query's words in a text, as {@link findWords}; null if one is missing.
 */
export function matchWords(text: string, query: string): Marks | null {
  const words = queryWords(query);
  const missing = new Set(words);
  const marks = findWords(text, words, (word) => missing.delete(word));
  return missing.size === 0 ? marks : null;
}

/** Whether a text begins with a query: such a hit ranks higher. */
export const beginsWith = (text: string, query: string): boolean => fold(text).startsWith(fold(query.trim()));
