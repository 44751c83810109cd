import type { Flow } from "../../../concurrency/fair-queue.ts";
import type { KeyedSemaphore, Release } from "../../../concurrency/keyed-semaphore.ts";

/** The slot of a call, which it leaves to others while it waits for a person. */
export class CallSlot implements Disposable {
  readonly #slots: Pick<KeyedSemaphore, "acquire">;
  readonly #flow: Flow;
  readonly #signal: AbortSignal;
  #release: Release | undefined;

  constructor(slots: Pick<KeyedSemaphore, "acquire">, flow: Flow, signal: AbortSignal) {
    this.#slots = slots;
    this.#flow = flow;
    this.#signal = signal;
  }

  /** @throws as `KeyedSemaphore.acquire` */
  async acquire(): Promise<void> {
    this.#release ??= await this.#slots.acquire(this.#flow, this.#signal);
  }

  /** Waits for a person without the slot. A call that has asked may finish although all slots are refused to it. */
  async without<T>(wait: () => Promise<T>): Promise<T> {
    this[Symbol.dispose]();
    const waited = await wait();
    await this.acquire().catch(() => this.#signal.throwIfAborted());
    return waited;
  }

  [Symbol.dispose](): void {
    this.#release?.();
    this.#release = undefined;
  }
}
