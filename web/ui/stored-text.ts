import { useSyncExternalStore } from "react";
import { log } from "../app/log.ts";

/** A short text that this browser keeps under a key, whoever is signed in: a choice. All its tabs follow its changes. */
export class KeptText {
  readonly #key: string;
  readonly #what: string;
  readonly #listeners = new Set<() => void>();
  /** Where it cannot be kept: what was chosen, as long as this page is open. */
  #own: string | null | undefined;

  /** `what`: how the log names it. */
  constructor(key: string, what: string) {
    this.#key = key;
    this.#what = what;
  }

  /** Null where there is none, or where it cannot be read. */
  readonly current = (): string | null => {
    if (this.#own !== undefined) return this.#own;
    try {
      return localStorage.getItem(this.#key);
    } catch {
      return null;
    }
  };

  /** Null keeps none. */
  keep(text: string | null): void {
    this.#own = undefined;
    try {
      if (text === null) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, text);
    } catch (cause) {
      this.#own = text;
      log.warn(`${this.#what} could not be kept in this browser`, cause);
    }
    this.#tell();
  }

  /** Told after each change, here or in another tab. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) addEventListener("storage", this.#onStorage);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) removeEventListener("storage", this.#onStorage);
    };
  };

  readonly #onStorage = ({ key }: StorageEvent): void => {
    if (key === this.#key || key === null) this.#tell();
  };

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export const useKeptText = (kept: KeptText): string | null =>
  useSyncExternalStore(kept.subscribe, kept.current, kept.current);
