import { useEffect } from "react";

/** The browser's `CloseWatcher`: lets Back, by button or gesture, close an open dialog before it leaves the page. */
type Watcher = { onclose: (() => void) | null; destroy: () => void };
type WithWatchers = { CloseWatcher?: new () => Watcher };

/**
 * Makes Back close an open dialog as Escape does, without a history entry. In browsers without `CloseWatcher` Back
 * leaves the page, as usual.
 */
export function useBackGesture(isOpen: boolean): void {
  useEffect(() => {
    const { CloseWatcher } = window as WithWatchers;
    // The dialog already handles Escape from a keyboard.
    if (!isOpen || !CloseWatcher || !matchMedia("(pointer: coarse)").matches) return;
    let watcher: Watcher;
    const watch = () => {
      watcher = new CloseWatcher();
      watcher.onclose = () => {
        // The topmost layer handles it. A dialog that stays open needs a watcher for the next Back too.
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
        watch();
      };
    };
    watch();
    return () => watcher.destroy();
  }, [isOpen]);
}
