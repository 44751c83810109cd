import { type RefObject, useLayoutEffect } from "react";

/** Key of the calls whose focused element the commit in progress removes. */
let losing: string | null = null;

/**
 * Notes that an element is removed which has the focus, or has it inside. That may be its own removal, that of all calls
 * at its position, or the text of the reply, which mounts them anew when it goes on in their block.
 */
export function useNoteLostFocus(element: RefObject<HTMLElement | null>, calls: string): void {
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      // React removes the element after this.
      if (!current?.contains(document.activeElement)) return;
      losing = calls;
      // The layout effects of the same commit have run by then. A later mount is another visit of the chat.
      queueMicrotask(() => {
        losing = null;
      });
    };
  }, [element, calls]);
}

/** Focuses an element if its calls have lost the focus in the same commit; the first of their elements receives it. */
export function useTakeLostFocus(element: RefObject<HTMLElement | null>, calls: string): void {
  useLayoutEffect(() => {
    if (losing !== calls || element.current === null || document.activeElement !== document.body) return;
    losing = null;
    element.current.focus({ preventScroll: true });
  });
}
