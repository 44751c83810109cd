import { Failure } from "../failure.ts";
import { FairQueue, type Flow } from "./fair-queue.ts";

type Waiting = { begin(): void; refuse(): void };

const NO_FLOW: Flow = { network: "", account: "" };

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

/** Counting semaphore with a bounded queue: FIFO within a flow, fair between flows. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /**
   * Does some work when its turn has come.
   * @param flow whom it is for: where too many wait, the newest of the flow with the most is refused
   * @throws Failure `unavailable` where too many wait, or it does too long; the signal's reason
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal, flow = NO_FLOW): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#limits.atOnce) this.#running++;
    else await this.#wait(signal, flow);
    try {
      return await work();
    } finally {
      // The slot is handed over, so that nobody slips in between.
      const next = this.#waiting.next();
      if (next) next.begin();
      else this.#running--;
    }
  }

  async #wait(signal: AbortSignal | undefined, flow: Flow): Promise<void> {
    const { maxWaiting, maxWaitMs, retryAfterSeconds } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = () => reject(new Failure("unavailable", { retryAfterSeconds }));
    const waiting = { begin: resolve, refuse };
    this.#waiting.add(flow, waiting);
    if (this.#waiting.size > maxWaiting) this.#waiting.dropFromLongest(flow)?.refuse();
    const leaveWithReader = () => {
      if (this.#waiting.remove(waiting)) reject(signal?.reason);
    };
    const leaveLate = () => {
      if (this.#waiting.remove(waiting)) refuse();
    };
    const timer = maxWaitMs === undefined ? undefined : setTimeout(leaveLate, maxWaitMs);
    signal?.addEventListener("abort", leaveWithReader);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leaveWithReader);
    }
  }
}
