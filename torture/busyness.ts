import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

const TICK_MS = 20;
/** Number of stored samples: ten minutes. */
const REMEMBERED = 30_000;

/** `lateMs`: delay of a timer. `demand`: runnable processes per core. */
export type Busy = { lateMs: number; demand: number };

/** Samples the load of the machine, by which measured times are judged. */
class Busyness {
  readonly #samples: (Busy & { at: number })[] = [];

  begin(): void {
    let due = performance.now() + TICK_MS;
    const sample = () => {
      const at = performance.now();
      this.#samples.push({ at, lateMs: Math.max(0, at - due), demand: runnable() / availableParallelism() });
      if (this.#samples.length > 2 * REMEMBERED) this.#samples.splice(0, REMEMBERED);
      due = at + TICK_MS;
    };
    setInterval(sample, TICK_MS).unref();
  }

  /** Returns the worst delay and the mean demand between two times of `performance.now()`. */
  between(from: number, to: number): Busy {
    const first = this.#samples.findLastIndex(({ at }) => at < from) + 1;
    const past = this.#samples.findLastIndex(({ at }) => at <= to) + 1;
    const samples = this.#samples.slice(first, past);
    const lateMs = Math.max(0, ...samples.map((sample) => sample.lateMs));
    const demand = samples.reduce((sum, sample) => sum + sample.demand, 0) / Math.max(1, samples.length);
    return { lateMs, demand };
  }
}

/** Returns the number of runnable processes, including this one. */
function runnable(): number {
  try {
    return Number(/ (\d+)\//.exec(readFileSync("/proc/loadavg", "utf8"))?.[1]);
  } catch {
    return loadavg()[0] ?? 1;
  }
}

export const busyness = new Busyness();
