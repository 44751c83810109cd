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
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #follow = ({ target }: Event) => this.#controller.abort((target as AbortSignal).reason);

  constructor({ parents = [], ms }: AbortScopeSettings) {
    this.#parents = parents;
    const aborted = parents.find((parent) => parent.aborted);
    if (aborted) {
      this.#controller.abort(aborted.reason);
      return;
    }
    for (const parent of parents) parent.addEventListener("abort", this.#follow, { once: true });
    if (ms !== undefined) this.#timer = setTimeout(() => this.#controller.abort(tooLate()), ms).unref();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const parent of this.#parents) parent.removeEventListener("abort", this.#follow);
  }
}

/** Returns the same reason as `AbortSignal.timeout`. */
const tooLate = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
