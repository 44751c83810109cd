import { createContext, useCallback, useContext, useLayoutEffect } from "react";
import { useStore } from "../../store/use-store.ts";

/**
 * The one entry of a list of chats that Tab reaches (roving tabindex), by the id of its chat or folder. A move notifies
 * two entries only, however long the list is.
 */
export class TabStop {
  readonly #entries = new Map<string, () => void>();
  #at: string | null = null;

  isAt(id: string): boolean {
    return this.#at === id;
  }

  /** Registers a mounted entry. Returns a function that removes it; another entry then takes its place. */
  enter(id: string, onChange: () => void): () => void {
    this.#entries.set(id, onChange);
    if (this.#at === null) this.moveTo(id);
    return () => {
      if (this.#entries.get(id) === onChange) this.#entries.delete(id);
      // An entry that moves to another group is mounted again at once.
      queueMicrotask(() => {
        if (this.isAt(id) && !this.#entries.has(id)) this.moveTo([...this.#entries.keys()][0] ?? null);
      });
    };
  }

  moveTo(id: string | null): void {
    const before = this.#at;
    if (before === id) return;
    this.#at = id;
    for (const changed of [before, id]) if (changed !== null) this.#entries.get(changed)?.();
  }
}

/** Null until the arrow keys are loaded: every entry is a tab stop then. */
export const TabStopContext = createContext<TabStop | null>(null);

const nothing = () => {};

/**
 * Returns `onFocus` for an entry's element, and the `tabIndex` of its link or button and of its other buttons, which
 * only arrow keys reach. `isCurrent`: the entry becomes the tab stop.
 */
export function useTabStop(id: string, isCurrent = false) {
  const stop = useContext(TabStopContext);
  const subscribe = useCallback((onChange: () => void) => stop?.enter(id, onChange) ?? nothing, [stop, id]);
  const isStop = useStore({ subscribe, get: () => stop?.isAt(id) ?? false });
  useLayoutEffect(() => {
    if (isCurrent) stop?.moveTo(id);
  }, [stop, id, isCurrent]);
  if (!stop) return {};
  return { tabIndex: isStop ? 0 : -1, innerTabIndex: -1, onFocus: () => stop.moveTo(id) };
}
