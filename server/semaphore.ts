import { Failure } from "./failure.ts";

export type SemaphoreLimits = {
  /** How many work at a time. */
  atOnce: number;
  /** How many wait at the most; further ones are refused. */
  maxWaiting: number;
  /** How long one waits at the most; for ever by default. */
  maxWaitMs?: number;
  /** What those are told who are refused. */
  retryAfterSeconds: number;
};

/** Lets few work at a time, the others in the order in which they came. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /**
   * Does some work when its turn has come.
   * @throws Failure `unavailable` where too many wait, or it does too long; the signal's reason
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#limits.atOnce) this.#running++;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      // The turn goes over to who waits longest, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitMs, retryAfterSeconds } = this.#limits;
    const refusal = () => new Failure("unavailable", { retryAfterSeconds });
    if (this.#waiting.length >= maxWaiting) throw refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (reason: unknown) => {
      const place = this.#waiting.indexOf(resolve);
      if (place === -1) return;
      this.#waiting.splice(place, 1);
      reject(reason);
    };
    const leaveWithReader = () => leave(signal?.reason);
    this.#waiting.push(resolve);
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => leave(refusal()), maxWaitMs);
    signal?.addEventListener("abort", leaveWithReader);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leaveWithReader);
    }
  }
}
