import { createContext, useContext, useLayoutEffect } from "react";
import { Store } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";

/** The one entry of a list of chats that Tab reaches (roving tabindex), by the id of its chat or folder. */
export class TabStop {
  readonly #entries = new Set<string>();
  readonly #at = new Store<string | null>(null);
  readonly subscribe = this.#at.subscribe;
  readonly get = this.#at.get;

  /** Registers a mounted entry. Returns a function that removes it; another entry then takes its place. */
  enter(id: string): () => void {
    this.#entries.add(id);
    if (this.#at.get() === null) this.#at.set(id);
    return () => {
      this.#entries.delete(id);
      // An entry that moves to another group is mounted again at once.
      queueMicrotask(() => {
        if (this.#at.get() === id && !this.#entries.has(id)) this.#at.set([...this.#entries][0] ?? null);
      });
    };
  }

  moveTo(id: string): void {
    this.#at.set(id);
  }
}

/** Null until the arrow keys are loaded: every entry is a tab stop then. */
export const TabStopContext = createContext<TabStop | null>(null);

const noChanges = () => () => {};

/**
 * Returns `onFocus` for an entry's element, and the `tabIndex` of its link or button and of its other buttons, which
 * only arrow keys reach. `isCurrent`: the entry becomes the tab stop.
 */
export function useTabStop(id: string, isCurrent = false) {
  const stop = useContext(TabStopContext);
  const isStop = useStore({ subscribe: stop?.subscribe ?? noChanges, get: () => stop?.get() === id });
  useLayoutEffect(() => stop?.enter(id), [stop, id]);
  useLayoutEffect(() => {
    if (isCurrent) stop?.moveTo(id);
  }, [stop, id, isCurrent]);
  if (!stop) return {};
  return { tabIndex: isStop ? 0 : -1, innerTabIndex: -1, onFocus: () => stop.moveTo(id) };
}
