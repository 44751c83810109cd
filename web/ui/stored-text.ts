import { log } from "../app/log.ts";
import { Emitter } from "../store/emitter.ts";
import { useStore } from "../store/use-store.ts";

/** A short text that this browser keeps under a key, whoever is signed in: a choice. All its tabs follow its changes. */
export class KeptText {
  readonly #key: string;
  readonly #what: string;
  readonly #changes = new Emitter(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === this.#key || key === null) this.#changes.notify();
    };
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  });
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
    this.#changes.notify();
  }

  /** Told after each change, here or in another tab. */
  readonly subscribe = this.#changes.subscribe;
}

export const useKeptText = (kept: KeptText): string | null =>
  useStore({ subscribe: kept.subscribe, get: kept.current });
