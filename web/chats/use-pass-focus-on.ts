import { type RefObject, useLayoutEffect, useRef } from "react";
import { useLandmark } from "../ui/components/landmark.tsx";
import { firstWay, wayAround } from "./list-elements.ts";

/** The focus of a line that goes, or of its menu, passes to the line beside it, else to what stands before or after it. */
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
      // An empty list still has the button that begins a chat.
      const way = firstWay(beside) ?? wayAround(leaving) ?? panel.current?.querySelector<HTMLElement>("button");
      way?.focus();
    };
  }, [line]);
}

/** A menu stands elsewhere in the document, and is named by its button. */
function hasFocus(line: HTMLElement): boolean {
  const focused = document.activeElement;
  const opener = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return line.contains(opener ? document.getElementById(opener) : focused);
}
