import { type RefObject, useLayoutEffect, useRef } from "react";
import { useLandmark } from "../../ui/components/landmark.tsx";
import { firstWay, wayAround } from "./list-elements.ts";

/** Moves the focus from a removed line or its menu to the line beside it, else to the nearest entry. */
export function usePassFocusOn(line: RefObject<HTMLLIElement | null>): void {
  const landmark = useLandmark();
  const panel = useRef(landmark);
  useLayoutEffect(() => {
    panel.current = landmark;
  }, [landmark]);
  useLayoutEffect(() => {
    const leaving = line.current;
    return () => {
      if (!leaving || !hasFocus(leaving)) return;
      const beside = leaving.nextElementSibling ?? leaving.previousElementSibling;
      // With an empty list, the first button of the panel (New chat) remains.
      const way = firstWay(beside) ?? wayAround(leaving) ?? panel.current?.querySelector<HTMLElement>("button");
      way?.focus();
    };
  }, [line]);
}

/** Returns whether a line or its menu has the focus. A menu is rendered in a portal, labelled by its button. */
function hasFocus(line: HTMLElement): boolean {
  const focused = document.activeElement;
  const opener = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return line.contains(opener ? document.getElementById(opener) : focused);
}
