import { createContext, type RefObject, useCallback, useContext, useLayoutEffect, useRef } from "react";

/** Called just before the messages change. The element, or the message around it, keeps its position on the screen. */
export type KeepPosition = (element: Element | null) => void;

export const KeepPositionContext = createContext<KeepPosition>(() => {});

export const useKeepPosition = () => useContext(KeepPositionContext);

/** Whether the browser supports scroll anchoring. */
export const hasScrollAnchoring = () => CSS.supports("overflow-anchor", "auto");

/** Preserves the scroll position when messages appear above the view or are replaced. */
export function useAnchoredPosition(scroller: RefObject<HTMLElement | null>): KeepPosition {
  const anchored = useRef<{ element: Element; top: number } | null>(null);
  useLayoutEffect(() => {
    const before = anchored.current;
    anchored.current = null;
    if (before && scroller.current)
      scroller.current.scrollTop += before.element.getBoundingClientRect().top - before.top;
  });
  return useCallback(
    (element) => {
      const message = element?.closest("li") ?? null;
      const edge = scroller.current?.getBoundingClientRect().top ?? 0;
      // If the start of the message is out of view, the pressed element stays under the finger.
      const anchor = message && message.getBoundingClientRect().top >= edge ? message : element;
      anchored.current = anchor && { element: anchor, top: anchor.getBoundingClientRect().top };
    },
    [scroller],
  );
}
