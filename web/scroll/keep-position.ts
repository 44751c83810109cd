import { createContext, type RefObject, useCallback, useContext, useLayoutEffect, useRef } from "react";

/** Called just before the messages change; the element, or the message around it, stays where it is on the screen. */
export type KeepPosition = (element: Element | null) => void;

export const KeepPositionContext = createContext<KeepPosition>(() => {});

export const useKeepPosition = () => useContext(KeepPositionContext);

/** Whether the browser itself keeps what is on the screen where it is when something above it changes its height. */
export const hasScrollAnchoring = () => CSS.supports("overflow-anchor", "auto");

/** What is being read stays where it is on the screen when messages appear above it, or others take their place. */
export function usePositionKept(scroller: RefObject<HTMLElement | null>): KeepPosition {
  const kept = useRef<{ element: Element; top: number } | null>(null);
  useLayoutEffect(() => {
    const place = kept.current;
    kept.current = null;
    if (place && scroller.current) scroller.current.scrollTop += place.element.getBoundingClientRect().top - place.top;
  });
  return useCallback(
    (element) => {
      const message = element?.closest("li") ?? null;
      const edge = scroller.current?.getBoundingClientRect().top ?? 0;
      // Where the beginning of the message is out of view, the pressed element stays under the finger.
      const anchor = message && message.getBoundingClientRect().top >= edge ? message : element;
      kept.current = anchor && { element: anchor, top: anchor.getBoundingClientRect().top };
    },
    [scroller],
  );
}
