/** Counting semaphore with a FIFO queue. */
export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` once fewer than the maximum are running. Rejects with the signal's reason if that comes first. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const slot = Promise.withResolvers<void>();
    const leave = () => {
      const at = this.#queue.indexOf(slot.resolve);
      if (at === -1) return;
      this.#queue.splice(at, 1);
      slot.reject(signal.reason);
    };
    this.#queue.push(slot.resolve);
    signal.addEventListener("abort", leave, { once: true });
    await slot.promise.finally(() => signal.removeEventListener("abort", leave));
  }
}
