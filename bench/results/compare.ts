import type { BenchRecord } from "./record.ts";
import { inWords, type Row, ratioOf, type Unit, withUnit } from "./row.ts";

type Benches = Record<string, Pick<BenchRecord, "rows">>;

/** What differs from run to run on one machine that rests: a part of the value, and in the unit itself. */
type Noise = { part: number; least: number };
const noises: Record<Unit, Noise> = {
  µs: { part: 0.2, least: 0.5 },
  ms: { part: 0.3, least: 2 },
  s: { part: 0.3, least: 0.2 },
  kB: { part: 0.05, least: 1 },
  MB: { part: 0.1, least: 3 },
  "%": { part: 0.3, least: 2 },
  count: { part: 0.25, least: 0 },
};

/** `before` and `now`: ratios to the yardstick where there is one in both, which no slower machine changes. */
export type Change = {
  bench: string;
  name: string;
  kind: "worse" | "better" | "missing";
  before: string;
  now: string;
};

/** What is worse or better than before beyond its noise, and what was measured before in the same benches and is not now. */
export function compareBenches(before: Benches, now: Benches): Change[] {
  const changes: Change[] = [];
  for (const [bench, { rows }] of Object.entries(now)) {
    const found = new Map(rows.map((row) => [row.name, row]));
    for (const earlier of before[bench]?.rows ?? []) {
      const row = found.get(earlier.name);
      if (row) changes.push(...changeOf(bench, earlier, row));
      else changes.push({ bench, name: earlier.name, kind: "missing", ...asWords(earlier, undefined) });
    }
  }
  return changes;
}

function changeOf(bench: string, before: Row, now: Row): Change[] {
  const { part, least } = noises[now.unit];
  const ratios = [ratioOf(before), ratioOf(now)].filter((ratio) => ratio !== undefined);
  const hasRatios = ratios.length === 2;
  const [old = 0, current = 0] = hasRatios ? ratios : [before.value, now.value];
  // A ratio of two small numbers swings where nothing has changed.
  const isNoise = hasRatios
    ? Math.max(before.value, now.value) <= 2 * least
    : Math.abs(now.value - before.value) <= least;
  if (isNoise || (current <= old * (1 + part) && current >= old * (1 - part))) return [];
  return [{ bench, name: now.name, kind: current > old ? "worse" : "better", ...asWords(before, now) }];
}

function asWords(before: Row, now: Row | undefined): { before: string; now: string } {
  const words = (row: Row) => {
    const ratio = ratioOf(row);
    return withUnit(row.value, row.unit) + (ratio === undefined ? "" : ` (${inWords(ratio)} × ${row.yardstick?.name})`);
  };
  return { before: words(before), now: now ? words(now) : "not measured" };
}
