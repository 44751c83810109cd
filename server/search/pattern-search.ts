import { ACCENTS, fold } from "../text/fold.ts";
import { type Run, SPACELESS } from "../text/tokenise.ts";
import { type Match, matchesIn } from "./matches.ts";
import type { TimeBudget } from "./time-budget.ts";

/** Occurrences of one run of the query that are read. */
const MAX_OCCURRENCES = 300;
/** Occurrences of the rarest run whose surroundings are compared. */
const MAX_COMPARED = 50;
/** Units around an occurrence in which the other runs count. */
const AROUND = 120;

/** Accents of one letter; no script needs as many. */
const MAX_ACCENTS = 16;

/** A letter of a word in a script with spaces: a match may not follow it. */
const WORD_LETTER = `[[\\p{L}\\p{N}\\p{M}]--${SPACELESS.source}]`;
/** Ranges of code points, end exclusive, of letters that may differ from their folded form by more than their case. */
const VARIANT_RANGES = [
  // Latin, Greek and Cyrillic with their extensions, Arabic, full-width letters and digits.
  ...[[0xc0, 0x250] as const, [0x370, 0x530] as const, [0x620, 0x6d5] as const],
  ...[[0x1e00, 0x2000] as const, [0xff10, 0xff5b] as const],
];

/** Letters with accents by their folded letter; created once, because folding is slow. */
let variants: ReadonlyMap<string, string> | undefined;

function findVariants(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [from, to] of VARIANT_RANGES) {
    for (let code = from; code < to; code++) {
      const letter = String.fromCharCode(code);
      const folded = /[\p{L}\p{N}]/u.test(letter) ? fold(letter) : letter;
      if (folded !== letter && [...folded].length === 1) found.set(folded, (found.get(folded) ?? "") + letter);
    }
  }
  return found;
}

/** Patterns of the runs of a query, which are compared with many texts. */
const patterns = new WeakMap<Run, RegExp>();

/**
 * Returns a regular expression for a run of a query in an original text: at the beginning of a word, or anywhere in a
 * script without spaces; regardless of case and of most accents. It finds a run in a megabyte within milliseconds,
 * where `matchesIn` takes a second. It misses letters that decompose into several, such as ligatures.
 */
function patternOf(run: Run): RegExp {
  const cached = patterns.get(run);
  if (cached) return cached;
  const pattern = createPattern(run);
  patterns.set(run, pattern);
  return pattern;
}

function createPattern({ text, isSpaceless }: Run): RegExp {
  variants ??= findVariants();
  let source = isSpaceless ? "" : `(?<!${WORD_LETTER})`;
  for (const letter of text) {
    // Other characters may have a meaning in a regular expression.
    const same = /[\p{L}\p{N}\p{M}]/u.test(letter) ? `[${letter}${variants.get(letter) ?? ""}]` : ".";
    source += `${same}(?:${ACCENTS.source}){0,${MAX_ACCENTS}}`;
  }
  return new RegExp(source, "givs");
}

/** Whether a run of a query occurs in a text, as {@link patternOf} finds it. */
export const occursIn = (text: string, run: Run): boolean => text.search(patternOf(run)) !== -1;

/**
 * Returns the first match of the part of a long text with the most different runs of the query, near an occurrence of
 * its rarest run; undefined if the patterns find none.
 */
export async function densestMatch(
  text: string,
  wanted: readonly Run[],
  budget: TimeBudget,
): Promise<Match | undefined> {
  let rarest: number[] = [];
  for (const run of wanted) {
    const offsets: number[] = [];
    for (const { index } of text.matchAll(patternOf(run))) if (offsets.push(index) === MAX_OCCURRENCES) break;
    if (offsets.length > 0 && (rarest.length === 0 || offsets.length < rarest.length)) rarest = offsets;
    await budget.step();
  }
  let best: { match: Match; count: number } | undefined;
  for (const at of rarest.slice(0, MAX_COMPARED)) {
    const matches = matchesAround(text, at, wanted);
    const [match] = matches;
    const count = new Set(matches.map(({ run }) => run)).size;
    if (match && (!best || count > best.count)) best = { match, count };
    if (count === wanted.length) break;
  }
  return best?.match;
}

/** Returns the exact matches around a position. */
function matchesAround(text: string, at: number, wanted: readonly Run[]): Match[] {
  const from = Math.max(0, at - AROUND);
  return [...matchesIn(text.slice(from, at + AROUND), wanted)].flatMap((match) =>
    match ? [{ ...match, start: match.start + from, end: match.end + from }] : [],
  );
}
