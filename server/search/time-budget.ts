import { setImmediate } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { Failure } from "../failure.ts";

/** So long texts are looked at before anything else has its turn. */
const STRIDE_MS = 5;
const ENOUGH_MS = SECOND / 2;
const LIMIT_MS = 3 * SECOND;

export type TimeBudgetOptions = {
  /** After which a page holds what was found so far. */
  enoughMs?: number;
  /** After which there is none. */
  limitMs?: number;
  /** In ms. */
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

  /** Whether to look for no more. */
  get isEnough(): boolean {
    return this.#now() >= this.#enoughAt;
  }

  /** Whether to show what was found in the quickest way: twice as long. */
  get isLate(): boolean {
    return this.#now() >= this.#lateAt;
  }

  /** After each text. @throws Failure `unavailable` past the limit */
  async step(): Promise<void> {
    const now = this.#now();
    if (now >= this.#limitAt) throw new Failure("unavailable", { cause: new Error("the search took too long") });
    if (now - this.#strideAt < STRIDE_MS) return;
    await setImmediate();
    this.#strideAt = this.#now();
  }
}
