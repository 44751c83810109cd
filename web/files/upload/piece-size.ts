import { SECOND } from "#contract/limits.ts";

const KIB = 1024;
const FIRST = 512 * KIB;
const SMALLEST = 64 * KIB;
const LARGEST = 4 * KIB * KIB;
const SHORT_MS = 2 * SECOND;
const LONG_MS = 8 * SECOND;

/**
 * Size in bytes of the next piece of an upload. A piece takes 2 to 8 s where that is possible: a lost connection costs
 * little, and requests are few.
 */
export class PieceSize {
  #bytes = FIRST;

  get bytes(): number {
    return this.#bytes;
  }

  /** Adapts the size to the duration (ms) of a whole piece. */
  sent(ms: number): void {
    if (ms < SHORT_MS) this.#bytes = Math.min(this.#bytes * 2, LARGEST);
    if (ms > LONG_MS) this.#shrink();
  }

  /** A piece was lost. */
  lost(): void {
    this.#shrink();
  }

  #shrink(): void {
    this.#bytes = Math.max(this.#bytes / 2, SMALLEST);
  }
}
