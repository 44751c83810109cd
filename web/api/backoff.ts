import { MINUTE, SECOND } from "#contract/limits.ts";

const FIRST_MS = SECOND / 2;
const LONGEST_MS = 8 * SECOND;
/** Longer than a restart of the server takes, even a slow one. */
const IN_ALL_MS = 2 * MINUTE;

/**
 * The pauses between tries of one thing: growing, and spread by chance, so that the pages of many people do not all come
 * back at the same moment (R28).
 */
export class Backoff {
  #tries = 0;
  #spentMs = 0;

  /** The next pause (ms), at least as long as the server has asked for; null once two minutes of them are over. */
  next(askedMs = 0): number | null {
    if (this.#spentMs >= IN_ALL_MS) return null;
    const longest = Math.min(FIRST_MS * 2 ** this.#tries, LONGEST_MS);
    const shortest = this.#tries === 0 ? 0 : longest / 2;
    this.#tries += 1;
    const pause = Math.max(shortest + Math.random() * (longest - shortest), Math.min(askedMs, LONGEST_MS));
    // Without a network there is nothing to give up: it may be back tomorrow.
    if (globalThis.navigator?.onLine !== false) this.#spentMs += pause;
    return pause;
  }

  /** Counts time that went by in trying (ms). */
  spend(ms: number): void {
    this.#spentMs += ms;
  }

  /** It has worked: the next failure is a new one. */
  reset(): void {
    this.#tries = 0;
    this.#spentMs = 0;
  }
}
