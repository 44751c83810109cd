import { normalizeText } from "#contract/text/normalize-text.ts";

export type Marks = [number, number][];

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words: a match may begin anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Removes accents and case. */
const fold = (text: string) => normalizeText(text, "NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Returns the positions of a query's words in a text, each as the prefix of a word, ignoring accents and case; null if
 * one is missing. In UTF-16 units, ascending.
 */
export function matchWords(text: string, query: string): Marks | null {
  const words = [...text.matchAll(WORDS)].map(({ 0: word, index }) => ({ word, index, folded: fold(word) }));
  const found = new Map<number, number>();
  for (const wanted of (query.match(WORDS) ?? []).map(fold)) {
    const hits = words.filter(({ folded }) => placeIn(folded, wanted) !== -1);
    if (hits.length === 0) return null;
    for (const { word, index, folded } of hits) {
      // If folding has changed its length, the whole word is marked.
      const isSame = folded.length === word.length;
      const start = index + (isSame ? placeIn(folded, wanted) : 0);
      const end = isSame ? start + wanted.length : index + word.length;
      found.set(start, Math.max(end, found.get(start) ?? 0));
    }
  }
  return [...found].sort(([a], [b]) => a - b);
}

function placeIn(word: string, wanted: string): number {
  if (UNSPACED.test(wanted)) return word.indexOf(wanted);
  return word.startsWith(wanted) ? 0 : -1;
}

/** Whether a text begins with a query: such a hit ranks higher. */
export const beginsWith = (text: string, query: string): boolean => fold(text).startsWith(fold(query.trim()));
