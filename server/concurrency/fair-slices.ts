import { FairQueue, type Flow } from "./fair-queue.ts";

/** Time that all long reads together take in one iteration of the event loop, in ms. */
export const SLICE_MS = 10;

/**
 * Time slices of the event loop for work that is too long for one iteration. Each iteration runs one waiting piece of
 * work, for about {@link SLICE_MS}; networks, and within them accounts, take turns. With `setImmediate` alone all
 * waiting pieces would run in the same iteration, and eight readers would hold it for eight slices.
 */
export class FairSlices {
  readonly #waiting = new FairQueue<() => void>();
  #begunAt = Number.NEGATIVE_INFINITY;
  #isScheduled = false;

  /** Waits for a further slice if the current one is over. To be called after each piece of a few ms at most. */
  async step(flow: Flow): Promise<void> {
    if (performance.now() - this.#begunAt < SLICE_MS) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(flow, resolve);
    this.#schedule();
    await promise;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begunAt = performance.now();
      this.#waiting.next()?.();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }
}
