import { type RefObject, useLayoutEffect } from "react";

/**
 * Fits the height of a `field-sizing-content` text area to its text in browsers without CSS `field-sizing`. Browsers
 * that support it need no measurement, so typing causes no forced reflow.
 */
export function useGrownHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text needs a new height
  useLayoutEffect(() => {
    const area = box.current;
    if (!area || CSS.supports("field-sizing", "content")) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [box, text]);
}
