import { Emitter } from "../store/emitter.ts";
import { onStorageChange, readStorage, writeStorage } from "./browser-storage.ts";

/**
 * Text in local storage, shared by all accounts of the browser, for a preference. A store that also follows other tabs.
 */
export class StoredText {
  readonly #key: string;
  readonly #name: string;
  readonly #changes = new Emitter(() =>
    onStorageChange(({ key }) => {
      if (key === this.#key || key === null) this.#changes.notify();
    }),
  );
  /** The last value that could not be stored; it applies while this page is open. */
  #unstored: string | null | undefined;

  /** @param name prefix of the warnings in the log */
  constructor(key: string, name: string) {
    this.#key = key;
    this.#name = name;
  }

  /** Returns the text; null if none is stored or the storage cannot be read. */
  readonly get = (): string | null => (this.#unstored === undefined ? readStorage(this.#key) : this.#unstored);

  /** Stores `text`; null removes it. */
  readonly set = (text: string | null): void => {
    this.#unstored = writeStorage(this.#key, text, this.#name) ? undefined : text;
    this.#changes.notify();
  };

  /** Calls `listener` after each change, here or in another tab. */
  readonly subscribe = this.#changes.subscribe;
}
