import { MINUTE } from "#contract/limits.ts";

/** Longest `Retry-After` that is waited for: the person may have left after that. */
const LONGEST_MS = 2 * MINUTE;
/** How often a request is repeated by itself. */
const TRIES = 3;

type Wait = { until: number; timer: ReturnType<typeof setTimeout> };

/** Repeats requests that were refused for their frequency, as soon as the server or the provider allows it. */
export class RefusedRetries {
  readonly #send: (draftKey: string, tries: number) => void;
  readonly #onChange: () => void;
  readonly #waits = new Map<string, Wait>();

  /** `send`: repeats the request of a location; `tries`: how often it was repeated by then. */
  constructor(send: (draftKey: string, tries: number) => void, onChange: () => void) {
    this.#send = send;
    this.#onChange = onChange;
  }

  /** Schedules the next attempt, unless the wait is too long or there were enough attempts. */
  begin(draftKey: string, waitMs: number | undefined, tries: number): void {
    if (waitMs === undefined || waitMs > LONGEST_MS || tries >= TRIES) return;
    const timer = setTimeout(() => {
      this.#waits.delete(draftKey);
      this.#send(draftKey, tries + 1);
    }, waitMs);
    this.#waits.set(draftKey, { until: performance.now() + waitMs, timer });
    this.#onChange();
  }

  /** Returns the time (`performance.now`) of the next attempt; null if there is none. */
  nextOf(draftKey: string): number | null {
    return this.#waits.get(draftKey)?.until ?? null;
  }

  cancel(draftKey: string): void {
    clearTimeout(this.#waits.get(draftKey)?.timer);
    if (this.#waits.delete(draftKey)) this.#onChange();
  }

  readonly dispose = (): void => {
    for (const draftKey of [...this.#waits.keys()]) this.cancel(draftKey);
  };
}
