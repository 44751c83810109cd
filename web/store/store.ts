import { Emitter } from "./emitter.ts";

/** Observable value outside React, replaced as a whole. Components read it with `useStore`. */
export class Store<T> {
  readonly #emitter = new Emitter();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  /** Replaces the value and notifies the subscribers, unless it is the same value (`Object.is`). */
  readonly set = (value: T): void => {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.#emitter.notify();
  };

  /** Calls `listener` after each change of the value. Returns the unsubscribe function. */
  readonly subscribe = this.#emitter.subscribe;
}

/** Read-only view of a store. */
export type ReadableStore<T> = Pick<Store<T>, "get" | "subscribe">;
