/** Notifies subscribers of a change, without a value. Independent of React. */
export class Emitter {
  readonly #listeners = new Set<() => void>();
  readonly #start: (() => () => void) | undefined;
  #stop: (() => void) | undefined;

  /**
   * @param start called when the first listener subscribes; the function that it returns is called when the last one
   * unsubscribes.
   */
  constructor(start?: () => () => void) {
    this.#start = start;
  }

  /** Calls `listener` after each change, in the order of the subscriptions. Returns the unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#stop = this.#start?.();
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stop?.();
    };
  };

  /** Calls the current listeners, including those that another listener removes meanwhile. */
  readonly notify = (): void => {
    for (const listener of [...this.#listeners]) listener();
  };
}
