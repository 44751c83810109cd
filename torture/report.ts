import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../scripts/child.mjs";
import { type Busy, busyness } from "./busyness.ts";

/** A guarantee as it is printed, and its limit. */
export type Guarantee = { claim: string; allowed: number; unit: "ms" | "MB" | "characters" };

export type Violation = { where: string; what: string };

/** `excused`: load of the machine if a longer time was attributed to it. */
type Measure = Guarantee & { worst: number; times: number; excused: Busy | undefined };

const BUSY_BEFORE_MS = 1000;
/** Number of process switches of a word between the provider, the disk and a reader. */
const HOPS = 4;

type Findings = {
  violations: Violation[];
  skipped: string[];
  measures: Map<string, Measure>;
  faults: Map<string, number>;
  held: Map<string, number>;
};

const nothingFound = (): Findings => ({
  violations: [],
  skipped: [],
  measures: new Map(),
  faults: new Map(),
  held: new Map(),
});

/** Result of a run: the worst case of each guarantee, the number of faults, and violations. */
export class Report {
  /** Arrangement and fault, in the form of `--only`. */
  readonly where: string;
  readonly #print: (line: string) => void;
  readonly #found: Findings;

  constructor(print: (line: string) => void, where = "", found = nothingFound()) {
    this.#print = print;
    this.where = where;
    this.#found = found;
  }

  /** Returns a view of this report for one fault in one arrangement. */
  within(where: string): Report {
    return new Report(this.#print, where, this.#found);
  }

  get violations(): readonly Violation[] {
    return this.#found.violations;
  }

  get skipped(): readonly string[] {
    return this.#found.skipped;
  }

  /**
   * Records a case of a numeric guarantee; a value beyond the limit is a violation. Time limits are for an idle
   * machine: if more processes are runnable than there are cores, the limit is multiplied accordingly, and the delay of
   * timers is added; both are printed.
   * @param at time of the case
   */
  measure({ claim, allowed, unit }: Guarantee, value: number, detail = "", at = performance.now()): void {
    const measure = this.#found.measures.get(claim) ?? { claim, allowed, unit, worst: 0, times: 0, excused: undefined };
    this.#found.measures.set(claim, measure);
    measure.worst = Math.max(measure.worst, value);
    measure.times++;
    if (value <= allowed) return;
    const { lateMs, demand } = busyness.between(at - value - BUSY_BEFORE_MS, at);
    const words = `${claim}: ${Math.round(value)} ${unit}, allowed ${allowed} ${detail}`;
    if (unit !== "ms") this.violate(words);
    else if (value <= allowed * Math.max(1, demand) + HOPS * lateMs) measure.excused = { lateMs, demand };
    else
      this.violate(`${words} (late ${Math.round(lateMs)} ms, ${demand.toFixed(1)} runnable processes for each core)`);
  }

  /** Records a case of a guarantee that holds or is violated. */
  check(claim: string, holds: boolean, detail: string): void {
    if (holds) this.#found.held.set(claim, (this.#found.held.get(claim) ?? 0) + 1);
    else this.violate(`${claim}: ${detail}`);
  }

  violate(what: string): void {
    this.#found.violations.push({ where: this.where, what });
    this.#print(`✗ ${this.where}: ${what}`);
  }

  count(fault: string, times = 1): void {
    this.#found.faults.set(fault, (this.#found.faults.get(fault) ?? 0) + times);
  }

  skip(what: string): void {
    this.#found.skipped.push(what);
    this.#print(`– ${what}`);
  }

  /** Number of tested guarantees. */
  get guarantees(): number {
    return this.#found.measures.size + this.#found.held.size;
  }

  print(): void {
    this.#print("\nFaults injected");
    for (const [fault, times] of this.#found.faults) this.#print(`  ${times} × ${fault}`);
    this.#print("\nGuarantees");
    for (const { claim, worst, allowed, unit, times, excused } of this.#found.measures.values()) {
      const busy = excused
        ? `; timers late by ${Math.round(excused.lateMs)} ms, ${excused.demand.toFixed(1)} runnable processes for each core`
        : "";
      this.#print(`  ${claim}: worst ${Math.round(worst)} ${unit}, allowed ${allowed} (${times} cases${busy})`);
    }
    for (const [claim, times] of this.#found.held) this.#print(`  ${claim}: ${times} cases`);
  }
}

/** File from which `npm test` reads the result. */
const resultsFile = join(root, "test-results", "torture.json");

/** Writes the numbers of guarantees, violations and skipped arrangements. */
export async function writeResults({ guarantees, violations, skipped }: Report): Promise<void> {
  await mkdir(join(root, "test-results"), { recursive: true });
  const counts = { passed: guarantees, failed: violations.length, skipped: skipped.length };
  await writeFile(resultsFile, `${JSON.stringify({ ...counts, violations, skippedParts: skipped }, null, 2)}\n`);
}
