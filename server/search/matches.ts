import { lettersOf, MAX_WORD_LETTERS, type Run, runsOf } from "./tokenise.ts";

/** More than anybody looks for at once. */
const MAX_RUNS = 16;

/** A place in a text where something that is looked for was found; `run` says which of the query's. */
export type Match = { start: number; end: number; run: number };

/** The different words and spaceless runs of a query, in their order. */
export function queryRuns(query: string): Run[] {
  const runs = new Map<string, Run>();
  for (const run of runsOf(query)) {
    if (runs.size === MAX_RUNS) break;
    if (!runs.has(run.text)) runs.set(run.text, run);
  }
  return [...runs.values()];
}

/** Whether the index alone cannot tell a text that holds them all from one that holds their parts elsewhere. */
export function needLooking(runs: readonly Run[]): boolean {
  return runs.some(({ text, isSpaceless }) => [...text].length > (isSpaceless ? 2 : MAX_WORD_LETTERS));
}

/** Whether a text holds them all. */
export function holdsAll(text: string, wanted: readonly Run[]): boolean {
  const missing = new Set(wanted);
  for (const run of runsOf(text)) {
    for (const one of missing) if (placesIn(run, one).length > 0) missing.delete(one);
    if (missing.size === 0) return true;
  }
  return false;
}

/** Every place where one of them is found, in the order of the text. */
export function* matchesIn(text: string, wanted: readonly Run[]): Generator<Match> {
  for (const found of runsOf(text)) {
    const places = wanted
      .flatMap((one, run) => placesIn(found, one).map((at) => ({ at, length: one.text.length, run })))
      .sort((a, b) => a.at - b.at);
    if (places.length === 0) continue;
    const ends = originalPlaces(text, found);
    for (const { at, length, run } of places) {
      yield { start: ends[at]?.start ?? found.start, end: ends[at + length - 1]?.end ?? found.end, run };
    }
  }
}

/** Where in a run another begins, in its folded text: a word at its beginning only. */
function placesIn({ text, isSpaceless }: Run, wanted: Run): number[] {
  if (isSpaceless !== wanted.isSpaceless) return [];
  if (!isSpaceless) return text.startsWith(wanted.text) ? [0] : [];
  const places: number[] = [];
  for (let at = text.indexOf(wanted.text); at !== -1; at = text.indexOf(wanted.text, at + wanted.text.length)) {
    places.push(at);
  }
  return places;
}

/** For each unit of a run's folded text, where the letter that it comes from stands. */
function originalPlaces(text: string, { text: folded, start, end }: Run): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (const letter of lettersOf(text.slice(start, end), start)) {
    for (let unit = 0; unit < letter.text.length; unit++) places.push(letter);
  }
  // Letters that became one with others: the whole run then.
  return places.length === folded.length ? places : [];
}
