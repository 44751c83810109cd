import { type RefObject, useCallback, useState } from "react";
import { type LaidRow, type RowLayout, rowsBetween } from "./row-layout.ts";

/** The rendered range changes in steps, so that scrolling within one renders nothing. In px. */
const STEP_PX = 240;
/** Height of the list before it is measured, in px. */
const ASSUMED_HEIGHT_PX = 480;

/**
 * Returns the rows of a scrolled list that are on the screen or near it, so that a list of any length renders a bounded
 * number, and the function that follows the scroller.
 * @param active key of an option that is always rendered: `aria-activedescendant` refers to it
 */
export function useRenderedRows(
  scroller: RefObject<HTMLElement | null>,
  layout: RowLayout,
  active: string | undefined,
): { rows: LaidRow[]; follow: () => void } {
  const [step, setStep] = useState(0);
  const [height, setHeight] = useState(ASSUMED_HEIGHT_PX);
  const follow = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    setStep(Math.floor(scrollTop / STEP_PX));
    setHeight((former) => Math.max(former, clientHeight));
  }, [scroller]);
  const rows = rowsBetween(layout, (step - 1) * STEP_PX, (step + 2) * STEP_PX + height, active);
  return { rows, follow };
}
