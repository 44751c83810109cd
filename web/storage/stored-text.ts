import { Emitter } from "../store/emitter.ts";
import { onStorageChange, readStorage, writeStorage } from "./browser-storage.ts";

/** A text in the browser's storage, whoever is signed in: a choice. A store that also follows the other tabs. */
export class StoredText {
  readonly #key: string;
  readonly #name: string;
  readonly #changes = new Emitter(() =>
    onStorageChange(({ key }) => {
      if (key === this.#key || key === null) this.#changes.notify();
    }),
  );
  /** The last value that could not be stored: it counts as long as this page is open. */
  #unstored: string | null | undefined;

  /** @param name how warnings in the log begin */
  constructor(key: string, name: string) {
    this.#key = key;
    this.#name = name;
  }

  /** Null where nothing is stored, or where the storage cannot be read. */
  readonly get = (): string | null => (this.#unstored === undefined ? readStorage(this.#key) : this.#unstored);

  /** Stores `text`; null removes it. */
  readonly set = (text: string | null): void => {
    this.#unstored = writeStorage(this.#key, text, this.#name) ? undefined : text;
    this.#changes.notify();
  };

  /** Calls `listener` after each change, here or in another tab. */
  readonly subscribe = this.#changes.subscribe;
}
