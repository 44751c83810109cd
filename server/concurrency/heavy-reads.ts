import type { Flow } from "./fair-queue.ts";
import { FairSlices } from "./fair-slices.ts";
import { KeyedSemaphore, type SemaphoreLimits } from "./keyed-semaphore.ts";

/**
 * Pages that are read at a time: two of an account, and as many of all together as leave connections of PostgreSQL to
 * other requests. Pages are short and bounded, so all wait as long as their clients do.
 */
export const PAGES: SemaphoreLimits = {
  atOnce: 4,
  maxWaiting: Number.POSITIVE_INFINITY,
  perAccount: { atOnce: 2, maxWaiting: Number.POSITIVE_INFINITY, retryAfterSeconds: 1 },
};

/** One read of a list that may be long. */
export interface HeavyRead {
  /**
   * Reads a page in a slot. The slot is released before the page is sent, so that a slow client holds none.
   * @throws Failure `unavailable` if the server shuts down
   */
  page<T>(work: () => Promise<T>): Promise<T>;
  /** Yields to the event loop if the time slice is over. To be called after each element, or each few. */
  readonly step: () => Promise<void>;
}

/** Reads of long lists, fair between networks and accounts. */
export class HeavyReads implements Disposable {
  readonly #slots = new KeyedSemaphore(PAGES);
  readonly #slices = new FairSlices();

  /** @param flow network and account that read */
  of(flow: Flow): HeavyRead {
    return {
      page: (work) => this.#slots.run(flow, work),
      step: () => this.#slices.step(flow),
    };
  }

  [Symbol.dispose](): void {
    this.#slots[Symbol.dispose]();
  }
}
