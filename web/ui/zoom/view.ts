/** Position and scale of a drawing or a picture in a box. `x`, `y`: of its corner in the box, in CSS pixels. */
export type View = { scale: number; x: number; y: number };

/** In CSS pixels. */
export type Size = { width: number; height: number };
export type Point = { x: number; y: number };

/**
 * How content lies in its box. `margin`: space around fitted content, in CSS pixels; `largestFit`: a fitted content is
 * not enlarged beyond this scale; `leastScale`: the smallest scale, unless the content only fits at a smaller one.
 * `isBound`: the box has no empty space on one side only.
 */
export type Framing = { margin: number; largestFit: number; leastScale: number; isBound: boolean };

export const drawingFraming: Framing = { margin: 16, largestFit: 1.5, leastScale: 0.1, isBound: false };
/** A picture is not enlarged by itself, and is not smaller than its box allows. */
export const pictureFraming: Framing = { margin: 0, largestFit: 1, leastScale: 1, isBound: true };

const LARGEST_SCALE = 8;
/** Part of moved content that stays in its box, in CSS pixels. */
const LEAST_SHOWN = 48;

/** Returns the view that shows all of the content in the middle of its box. */
export function fitView(size: Size, box: Size, { margin, largestFit }: Framing): View {
  const scale = Math.min(
    largestFit,
    Math.max(box.width - 2 * margin, 1) / size.width,
    Math.max(box.height - 2 * margin, 1) / size.height,
  );
  return { scale, x: (box.width - size.width * scale) / 2, y: (box.height - size.height * scale) / 2 };
}

/** Whether {@link zoomView} by a factor above or below 1 would change the scale. */
export function canZoom({ scale }: View, factor: number, size: Size, box: Size, framing: Framing): boolean {
  return factor > 1 ? scale < LARGEST_SCALE : scale > leastScale(size, box, framing);
}

const leastScale = (size: Size, box: Size, framing: Framing) =>
  Math.min(framing.leastScale, fitView(size, box, framing).scale);

/** Returns the view scaled by a factor; `at` stays in its position. The content may always be seen as a whole. */
export function zoomView(view: View, factor: number, at: Point, size: Size, box: Size, framing: Framing): View {
  const scale = Math.min(Math.max(view.scale * factor, leastScale(size, box, framing)), LARGEST_SCALE);
  const by = scale / view.scale;
  return within({ scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, size, box, framing);
}

export const moveView = (view: View, x: number, y: number, size: Size, box: Size, framing: Framing): View =>
  within({ ...view, x: view.x + x, y: view.y + y }, size, box, framing);

/** Keeps a piece of the content in its box; bound content fills the box or lies in its middle. */
function within({ scale, x, y }: View, size: Size, box: Size, { isBound }: Framing): View {
  const limit = (at: number, length: number, room: number) => {
    if (isBound && length <= room) return (room - length) / 2;
    const shown = isBound ? room : Math.min(LEAST_SHOWN, length);
    return Math.min(Math.max(at, shown - length), room - shown);
  };
  return { scale, x: limit(x, size.width * scale, box.width), y: limit(y, size.height * scale, box.height) };
}
