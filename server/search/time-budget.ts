import { setImmediate } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { Failure } from "../failure.ts";

/** Time after which the search yields to the event loop. */
const STRIDE_MS = 5;
const ENOUGH_MS = SECOND / 2;
const LIMIT_MS = 3 * SECOND;

export type TimeBudgetOptions = {
  /** Time after which the search returns the matches so far. */
  enoughMs?: number;
  /** Time after which the search fails. */
  limitMs?: number;
  /** Clock in ms. */
  now?: () => number;
};

/** Time budget of one search: yields to the event loop between texts and reports when the time is used up. */
export class TimeBudget {
  readonly #now: () => number;
  readonly #enoughAt: number;
  readonly #lateAt: number;
  readonly #limitAt: number;
  #strideAt: number;

  constructor({ enoughMs = ENOUGH_MS, limitMs = LIMIT_MS, now = () => performance.now() }: TimeBudgetOptions = {}) {
    const start = now();
    this.#now = now;
    this.#enoughAt = start + enoughMs;
    this.#lateAt = start + 2 * enoughMs;
    this.#limitAt = start + limitMs;
    this.#strideAt = start;
  }

  /** Whether to stop searching. */
  get isEnough(): boolean {
    return this.#now() >= this.#enoughAt;
  }

  /** Whether to return snippets in the fastest way: after twice that time. */
  get isLate(): boolean {
    return this.#now() >= this.#lateAt;
  }

  /** Must be called after each text. @throws Failure `unavailable` past the limit */
  async step(): Promise<void> {
    const now = this.#now();
    if (now >= this.#limitAt) throw new Failure("unavailable", { cause: new Error("the search took too long") });
    if (now - this.#strideAt < STRIDE_MS) return;
    await setImmediate();
    this.#strideAt = this.#now();
  }
}
