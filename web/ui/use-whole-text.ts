import { type PointerEvent, useState } from "react";

/**
 * Returns props for a text of one line that shows it whole as a tooltip if it is cut off. Measures when the pointer
 * enters: an observer for each line of a long list would cost more.
 */
export function useWholeText(text: string) {
  const [isCut, setCut] = useState(false);
  return {
    title: isCut ? text : undefined,
    onPointerEnter: ({ currentTarget }: PointerEvent) => setCut(currentTarget.scrollWidth > currentTarget.clientWidth),
  };
}
