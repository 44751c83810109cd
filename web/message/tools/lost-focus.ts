import { type RefObject, useLayoutEffect } from "react";

/** Key of the calls whose focused element was removed, until another element receives the focus. */
let losing: string | null = null;

/**
 * Notes that an element is removed which has the focus, or has it inside. That may be its own removal, or that of all
 * calls at its position: text that goes on in their block mounts them anew, and a reply that is joined removes its parts
 * until it has read them again.
 */
export function useNoteLostFocus(element: RefObject<HTMLElement | null>, calls: string): void {
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      // React removes the element after this.
      if (!current?.contains(document.activeElement)) return;
      losing = calls;
      const forget = () => {
        losing = null;
      };
      document.addEventListener("focusin", forget, { once: true });
    };
  }, [element, calls]);
}

/** Focuses an element if its calls have lost the focus; the first of their elements receives it. */
export function useTakeLostFocus(element: RefObject<HTMLElement | null>, calls: string): void {
  useLayoutEffect(() => {
    if (losing !== calls || element.current === null || document.activeElement !== document.body) return;
    element.current.focus({ preventScroll: true });
  });
}
