import { lettersOf, MAX_WORD_LETTERS, type Run, runsOf, stepsOf } from "../text/tokenise.ts";
import type { TimeBudget } from "./time-budget.ts";

/** Maximum number of different runs of a query; the rest is ignored. */
const MAX_RUNS = 16;
/** Maximum number of matches of one run of the query in one run of a text. */
const MAX_OFFSETS = 300;

/** A match in a text, in UTF-16 units; `run`: index of the matched run of the query. */
export type Match = { start: number; end: number; run: number };

/** Returns the different words and spaceless runs of a query, in their order. */
export function queryRuns(query: string): Run[] {
  const runs = new Map<string, Run>();
  for (const run of runsOf(query)) {
    if (runs.size === MAX_RUNS) break;
    if (!runs.has(run.text)) runs.set(run.text, run);
  }
  return [...runs.values()];
}

/**
 * Whether texts must be scanned: the index stores only parts of these runs, so it also finds texts with separate parts.
 */
export function needTextScan(runs: readonly Run[]): boolean {
  return runs.some(({ text, isSpaceless }) => [...text].length > (isSpaceless ? 2 : MAX_WORD_LETTERS));
}

/** Whether a text contains all these runs. */
export async function holdsAll(text: string, wanted: readonly Run[], budget: TimeBudget): Promise<boolean> {
  const missing = new Set(wanted);
  for (const run of stepsOf(text)) {
    if (!run) {
      await budget.step();
      continue;
    }
    for (const one of missing) if (offsetsIn(run, one, 1).length > 0) missing.delete(one);
    if (missing.size === 0) return true;
  }
  return false;
}

/**
 * Yields the matches in the order of the text, at most 300 of each run of the query per run of the text; `undefined`
 * between blocks of a long text, like {@link stepsOf}.
 */
export function* matchesIn(text: string, wanted: readonly Run[]): Generator<Match | undefined> {
  for (const found of stepsOf(text)) {
    if (!found) {
      yield;
      continue;
    }
    const offsets = wanted
      .flatMap((one, run) => offsetsIn(found, one, MAX_OFFSETS).map((at) => ({ at, length: one.text.length, run })))
      .sort((a, b) => a.at - b.at);
    const last = offsets.at(-1);
    if (!last) continue;
    const ends = originalOffsets(text, found, Math.max(...offsets.map(({ at, length }) => at + length)));
    for (const { at, length, run } of offsets) {
      yield { start: ends[at]?.start ?? found.start, end: ends[at + length - 1]?.end ?? found.end, run };
    }
  }
}

/**
 * Returns the offsets at which a run of the query occurs in a run's folded text, at most `max`. A word matches only at
 * the beginning.
 */
function offsetsIn({ text, isSpaceless }: Run, wanted: Run, max: number): number[] {
  if (isSpaceless !== wanted.isSpaceless) return [];
  if (!isSpaceless) return text.startsWith(wanted.text) ? [0] : [];
  const offsets: number[] = [];
  for (let at = text.indexOf(wanted.text); at !== -1; at = text.indexOf(wanted.text, at + wanted.text.length)) {
    offsets.push(at);
    if (offsets.length === max) break;
  }
  return offsets;
}

/** Returns the original position of each of the first `length` UTF-16 units of a run's folded text. */
function originalOffsets(text: string, run: Run, length: number): { start: number; end: number }[] {
  const offsets: { start: number; end: number }[] = [];
  let folded = "";
  for (const letter of lettersOf(text.slice(run.start, run.end), run.start)) {
    if (offsets.length >= length) break;
    folded += letter.text;
    for (let unit = 0; unit < letter.text.length; unit++) offsets.push(letter);
  }
  // If letters were composed with others, the whole run is marked.
  return run.text.startsWith(folded) ? offsets : [];
}
