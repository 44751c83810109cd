import { bounded, wordsOf } from "./bounded.ts";
import type { Report } from "./report.ts";

/** A fault in one arrangement. `where`: as in `--only`; `isGentle`: it does not affect the servers. */
export type Injection = { where: string; isGentle: boolean; run(): Promise<void> };

export type InjectionSettings = {
  report: Report;
  say: (line: string) => void;
  /** Brings the servers back after a fault that has failed. */
  restore(): Promise<void>;
  /** Whether the run was ended by a signal: failures then come from the ended servers. */
  isEnding?: () => boolean;
  /** Limit of one fault, in ms, beyond those of its clients. */
  limitMs?: number;
};

/** Longer than any fault of the longest run on a slow machine. */
const LIMIT_MS = 2 * 3_600_000;

const forever = new Promise<never>(() => {});

/**
 * Injects the gentle faults together, then the others one after the other. A fault that fails or does not end is a
 * violation, and the next one finds running servers.
 */
export async function injectFaults(injections: readonly Injection[], settings: InjectionSettings): Promise<void> {
  const gentle = injections.filter(({ isGentle }) => isGentle);
  const rounds = [gentle, ...injections.filter(({ isGentle }) => !isGentle).map((one) => [one])];
  for (const [index, round] of rounds.entries()) {
    const outcomes = await Promise.all(round.map((injection) => inject(injection, settings)));
    if (outcomes.every((isWhole) => isWhole)) continue;
    try {
      await settings.restore();
    } catch (error) {
      const left = rounds.slice(index + 1).flatMap((injections) => injections.map(({ where }) => where));
      const words = `the servers did not start again, so these faults were not injected: ${left.join(", ")}`;
      settings.report.within(round[0]?.where ?? "").violate(`${words} (${wordsOf(error)})`);
      return;
    }
  }
}

/** @returns whether the fault was injected to its end */
async function inject({ where, run }: Injection, settings: InjectionSettings): Promise<boolean> {
  const { report, say, isEnding = () => false, limitMs = LIMIT_MS } = settings;
  const startedAt = performance.now();
  let isWhole = true;
  try {
    await bounded("the fault did not end", run(), limitMs);
  } catch (error) {
    if (isEnding()) return forever;
    isWhole = false;
    report.within(where).violate(wordsOf(error));
  }
  say(`  ${where}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return isWhole;
}
