import { Failure } from "../failure.ts";

type Waiting = { begin(): void; refuse(failure: Failure): void };

/**
 * Whose search is next: of each account one at a time, and one that waits. A newer one takes the place of that, as
 * somebody types on; so accounts take turns, and nobody's many searches keep another's waiting.
 */
export class Turns implements Disposable {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #running = new Set<string>();
  /** By account. The order is that of turns: what takes another's place stands where that stood. */
  readonly #waiting = new Map<string, Waiting>();
  #isClosed = false;

  constructor({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Does the work when it is the account's turn.
   * @param signal aborts when nobody waits for it any more: then it does not begin
   * @throws Failure `too-many-requests` where a newer one of the account took its place or nobody waits for it,
   * `unavailable` where too many accounts wait
   */
  async take<T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#turnOf(userId, signal);
    try {
      return await work();
    } finally {
      this.#running.delete(userId);
      this.#next();
    }
  }

  async #turnOf(userId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw notNow();
    const former = this.#waiting.get(userId);
    if (this.#isClosed || (!former && this.#waiting.size >= this.#maxWaiting)) throw new Failure("unavailable");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = { begin: resolve, refuse: reject };
    const leave = () => {
      if (this.#waiting.get(userId) === own) this.#waiting.delete(userId);
      reject(notNow());
    };
    signal.addEventListener("abort", leave);
    this.#waiting.set(userId, own);
    former?.refuse(notNow());
    this.#next();
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #next(): void {
    for (const [userId, waiting] of this.#waiting) {
      if (this.#running.size >= this.#atOnce) return;
      if (this.#running.has(userId)) continue;
      this.#waiting.delete(userId);
      this.#running.add(userId);
      waiting.begin();
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.values()) refuse(new Failure("unavailable"));
    this.#waiting.clear();
  }
}

const notNow = () => new Failure("too-many-requests", { retryAfterSeconds: 1 });
