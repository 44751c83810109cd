export type AbortScopeSettings = {
  /** Signals whose abort aborts this one, with the same reason. */
  parents?: readonly AbortSignal[];
  /** Time limit in ms. */
  ms?: number;
};

/**
 * An abort signal that follows its parents and a time limit until it is disposed. Disposing clears the timer and
 * removes the listeners. `AbortSignal.timeout` and `AbortSignal.any` cannot be disposed: their listeners, and
 * everything they reference, stay in memory until the time is over.
 */
export class AbortScope implements Disposable {
  readonly #controller = new AbortController();
  readonly #parents: readonly AbortSignal[];
  #timer: NodeJS.Timeout | undefined;
  /** When the time is over, of `performance.now`; undefined while it is paused, and without a limit. */
  #endsAt: number | undefined;
  /** In ms, while the time is paused. */
  #leftMs: number | undefined;
  readonly #follow = ({ target }: Event) => this.#controller.abort((target as AbortSignal).reason);

  constructor({ parents = [], ms }: AbortScopeSettings) {
    this.#parents = parents;
    const aborted = parents.find((parent) => parent.aborted);
    if (aborted) {
      this.#controller.abort(aborted.reason);
      return;
    }
    for (const parent of parents) parent.addEventListener("abort", this.#follow, { once: true });
    if (ms !== undefined) this.#start(ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the time, until {@link resume}. */
  pause(): void {
    if (this.#endsAt === undefined) return;
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#endsAt - performance.now());
    this.#endsAt = undefined;
  }

  /** Resumes the time after a {@link pause}. @param ms a new time limit from now on */
  resume(ms = this.#leftMs): void {
    if (ms === undefined || this.signal.aborted) return;
    this.pause();
    this.#start(ms);
  }

  #start(ms: number): void {
    this.#endsAt = performance.now() + ms;
    this.#leftMs = undefined;
    this.#timer = setTimeout(() => this.#controller.abort(tooLate()), ms).unref();
  }

  [Symbol.dispose](): void {
    this.#leftMs = undefined;
    this.#endsAt = undefined;
    clearTimeout(this.#timer);
    for (const parent of this.#parents) parent.removeEventListener("abort", this.#follow);
  }
}

/** Returns the same reason as `AbortSignal.timeout`. */
const tooLate = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
