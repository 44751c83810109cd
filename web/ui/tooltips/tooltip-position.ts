export type Box = { left: number; top: number; width: number; height: number };
type Size = { width: number; height: number };
type Placement = { isBeside: boolean; isRightToLeft: boolean };

/** Distances to the anchor and to the edges of the window (px). */
const GAP = 6;
const MARGIN = 8;

const limited = (value: number, end: number) => Math.max(MARGIN, Math.min(value, end - MARGIN));

/**
 * Returns the left and top of a tooltip, within the window: below its anchor, above it if there is no space below; with
 * `isBeside` at its inline end if there is space.
 * @param screen size of the window without scroll bars
 */
export function tooltipPosition(
  anchor: Box,
  size: Size,
  screen: Size,
  { isBeside, isRightToLeft }: Placement,
): { left: number; top: number } {
  const [right, bottom] = [anchor.left + anchor.width, anchor.top + anchor.height];
  const beside = isRightToLeft ? anchor.left - GAP - size.width : right + GAP;
  if (isBeside && beside >= MARGIN && beside + size.width <= screen.width - MARGIN) {
    const middle = anchor.top + (anchor.height - size.height) / 2;
    return { left: beside, top: limited(middle, screen.height - size.height) };
  }
  const [below, above] = [bottom + GAP, anchor.top - GAP - size.height];
  const isAbove = below + size.height > screen.height - MARGIN && above >= MARGIN;
  return {
    left: limited(anchor.left + (anchor.width - size.width) / 2, screen.width - size.width),
    top: isAbove ? above : limited(below, screen.height - size.height),
  };
}
