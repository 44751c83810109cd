import type { DiagramView } from "../../sandbox/diagram-messages.ts";

/** In CSS pixels. */
export type Size = { width: number; height: number };
export type Point = { x: number; y: number };

/** Space between a fitted diagram and the edges of its box. */
const MARGIN = 16;
/** A fitted diagram is not enlarged beyond this. */
const LARGEST_FIT = 1.5;
const LEAST_SCALE = 0.1;
const LARGEST_SCALE = 8;
/** Part of a moved diagram that stays in its box, in CSS pixels. */
const LEAST_SHOWN = 48;

/** Returns the view that shows all of a diagram in the middle of its box. */
export function fitView(size: Size, box: Size): DiagramView {
  const scale = Math.min(
    LARGEST_FIT,
    Math.max(box.width - 2 * MARGIN, 1) / size.width,
    Math.max(box.height - 2 * MARGIN, 1) / size.height,
  );
  return { scale, x: (box.width - size.width * scale) / 2, y: (box.height - size.height * scale) / 2 };
}

/** Whether {@link zoomView} by a factor above or below 1 would change the scale. */
export function canZoom({ scale }: DiagramView, factor: number, size: Size, box: Size): boolean {
  return factor > 1 ? scale < LARGEST_SCALE : scale > leastScale(size, box);
}

const leastScale = (size: Size, box: Size) => Math.min(LEAST_SCALE, fitView(size, box).scale);

/** Returns the view scaled by a factor; `at` stays where it is. A diagram may always be seen as a whole. */
export function zoomView(view: DiagramView, factor: number, at: Point, size: Size, box: Size): DiagramView {
  const scale = Math.min(Math.max(view.scale * factor, leastScale(size, box)), LARGEST_SCALE);
  const by = scale / view.scale;
  return within({ scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, size, box);
}

export const moveView = (view: DiagramView, x: number, y: number, size: Size, box: Size): DiagramView =>
  within({ ...view, x: view.x + x, y: view.y + y }, size, box);

/** Keeps a piece of the diagram in its box. */
function within({ scale, x, y }: DiagramView, size: Size, box: Size): DiagramView {
  const keep = (at: number, length: number, room: number) => {
    const shown = Math.min(LEAST_SHOWN, length);
    return Math.min(Math.max(at, shown - length), room - shown);
  };
  return { scale, x: keep(x, size.width * scale, box.width), y: keep(y, size.height * scale, box.height) };
}
