import { MINUTE, SECOND } from "#contract/limits.ts";

const FIRST_MS = SECOND / 2;
const LONGEST_MS = 8 * SECOND;
/** Longer than a restart of the server takes, even a slow one. */
const IN_ALL_MS = 2 * MINUTE;

/** Exponential backoff with jitter, so that many pages do not all reconnect at the same moment (R28). */
export class Backoff {
  #tries = 0;
  #spentMs = 0;

  /** Returns the next pause (ms), at least the server's `Retry-After`; null after two minutes in total. */
  next(askedMs = 0): number | null {
    if (this.#spentMs >= IN_ALL_MS) return null;
    const longest = Math.min(FIRST_MS * 2 ** this.#tries, LONGEST_MS);
    const shortest = this.#tries === 0 ? 0 : longest / 2;
    this.#tries += 1;
    const pause = Math.max(shortest + Math.random() * (longest - shortest), Math.min(askedMs, LONGEST_MS));
    // Without a network, time does not count: it may be back tomorrow.
    if (globalThis.navigator?.onLine !== false) this.#spentMs += pause;
    return pause;
  }

  /** Counts the duration (ms) of an attempt. */
  spend(ms: number): void {
    this.#spentMs += ms;
  }

  /** Resets after a success: the next failure is a new one. */
  reset(): void {
    this.#tries = 0;
    this.#spentMs = 0;
  }
}
