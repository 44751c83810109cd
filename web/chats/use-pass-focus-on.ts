import { type RefObject, useLayoutEffect } from "react";

const WAYS = "[data-chat] a, [data-folder]";

/** The focus of a line that goes, or of its menu, passes to the line beside it, else to what stands before or after it. */
export function usePassFocusOn(line: RefObject<HTMLLIElement | null>): void {
  useLayoutEffect(() => {
    const leaving = line.current;
    return () => {
      if (!leaving || !hasFocus(leaving)) return;
      const beside = leaving.nextElementSibling ?? leaving.previousElementSibling;
      const way = beside?.querySelector<HTMLElement>("a, [data-folder]") ?? wayAround(leaving);
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

function wayAround(line: HTMLElement): HTMLElement | null | undefined {
  const list = line.closest("nav");
  const others = [...(list?.querySelectorAll<HTMLElement>(WAYS) ?? [])].filter((way) => !line.contains(way));
  const isBefore = (way: HTMLElement) => (line.compareDocumentPosition(way) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  // An empty list still has the button that begins a chat.
  return others.findLast(isBefore) ?? others[0] ?? list?.querySelector<HTMLElement>("button");
}
