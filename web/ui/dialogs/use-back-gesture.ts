import { useEffect } from "react";

/** What browsers have where Back, by button or gesture, closes what is open before it leaves the page. */
type Watcher = { onclose: (() => void) | null; destroy: () => void };
type WithWatchers = { CloseWatcher?: new () => Watcher };

/**
 * While it is open, Back closes a dialog as Escape does, and the history knows nothing of it. Browsers without it go
 * back a page, as they would anyway.
 */
export function useBackGesture(isOpen: boolean): void {
  useEffect(() => {
    const { CloseWatcher } = window as WithWatchers;
    // A keyboard's Escape is heard already.
    if (!isOpen || !CloseWatcher || !matchMedia("(pointer: coarse)").matches) return;
    let watcher: Watcher;
    const watch = () => {
      watcher = new CloseWatcher();
      watcher.onclose = () => {
        // What is on top takes it, whatever that is; who stays open takes the next one too.
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
        watch();
      };
    };
    watch();
    return () => watcher.destroy();
  }, [isOpen]);
}
