import { type RefObject, useLayoutEffect } from "react";

const PROPERTY = "--notices";

/** Sets `--notices` to the height of a box above the chat, which leaves that height free. */
export function useNoticesHeight(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(PROPERTY, `${current.offsetHeight}px`));
    observer.observe(current);
    return () => {
      observer.disconnect();
      style.removeProperty(PROPERTY);
    };
  }, [box]);
}
