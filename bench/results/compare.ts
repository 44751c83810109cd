import type { BenchRecord } from "./record.ts";
import { inWords, type Row, ratioOf, type Unit, withUnit } from "./row.ts";

type Benches = Record<string, Pick<BenchRecord, "rows">>;

/** Run-to-run variation on an idle machine: relative (`part` of the value) and absolute (`least`, in the unit). */
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

/** `before` and `now` are ratios to the yardstick if both records have one: the machine's speed cancels out. */
export type Change = {
  bench: string;
  name: string;
  kind: "worse" | "better" | "missing";
  before: string;
  now: string;
};

/** Returns the rows that changed beyond their noise, and the rows of the same benches that are no longer measured. */
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
  // A ratio of two small numbers varies without any change.
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
