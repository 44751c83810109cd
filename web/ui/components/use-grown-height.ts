import { type RefObject, useLayoutEffect } from "react";

/**
 * For a field of the class `field-sizing-content`: gives it the height of its words in browsers that do not do so by
 * themselves. Where they do, no letter waits for a height to be measured.
 */
export function useGrownHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words need another height
  useLayoutEffect(() => {
    const area = box.current;
    if (!area || CSS.supports("field-sizing", "content")) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [box, text]);
}
