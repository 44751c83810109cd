import { MINUTE } from "#contract/limits.ts";

/** Longest `Retry-After` that is waited for: the person may have left after that. */
const LONGEST_MS = 2 * MINUTE;
/** How often a request is repeated by itself. */
const TRIES = 3;

type Wait = { until: number; timer: ReturnType<typeof setTimeout> };

/** Repeats requests that were refused for their frequency, as soon as the server or the provider allows it. */
export class RefusedRetries {
  readonly #send: (key: string, tries: number) => void;
  readonly #onChange: () => void;
  readonly #waits = new Map<string, Wait>();

  /**
   * `send`: repeats the request with a key, such as a draft key or the id of a chat; `tries`: how often it was repeated
   * by then.
   */
  constructor(send: (key: string, tries: number) => void, onChange: () => void) {
    this.#send = send;
    this.#onChange = onChange;
  }

  /** Schedules the next attempt, unless the wait is too long or there were enough attempts. */
  begin(key: string, waitMs: number | undefined, tries: number): void {
    if (waitMs === undefined || waitMs > LONGEST_MS || tries >= TRIES) return;
    const timer = setTimeout(() => {
      this.#waits.delete(key);
      this.#send(key, tries + 1);
    }, waitMs);
    this.#waits.set(key, { until: performance.now() + waitMs, timer });
    this.#onChange();
  }

  /** Returns the time (`performance.now`) of the next attempt; null if there is none. */
  nextOf(key: string): number | null {
    return this.#waits.get(key)?.until ?? null;
  }

  cancel(key: string): void {
    clearTimeout(this.#waits.get(key)?.timer);
    if (this.#waits.delete(key)) this.#onChange();
  }

  readonly dispose = (): void => {
    for (const key of [...this.#waits.keys()]) this.cancel(key);
  };
}
