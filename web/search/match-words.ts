import { normalizeText } from "#contract/text/normalize-text.ts";

export type Marks = [number, number][];

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words: what is looked for may begin anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Without accents and capitals. */
const fold = (text: string) => normalizeText(text, "NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Where in a text the words of a query are, each as the beginning of a word, without regard to accents and capitals; null
 * where one of them is missing. In UTF-16 units, ascending.
 */
export function matchWords(text: string, query: string): Marks | null {
  const words = [...text.matchAll(WORDS)].map(({ 0: word, index }) => ({ word, index, folded: fold(word) }));
  const found = new Map<number, number>();
  for (const wanted of (query.match(WORDS) ?? []).map(fold)) {
    const hits = words.filter(({ folded }) => placeIn(folded, wanted) !== -1);
    if (hits.length === 0) return null;
    for (const { word, index, folded } of hits) {
      // Where folding has changed its length, it is marked whole.
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

/** Whether a text begins with a query, which makes it a better hit than one that has it somewhere. */
export const beginsWith = (text: string, query: string): boolean => fold(text).startsWith(fold(query.trim()));
