/** Longest side of the one picture of a message, and shortest side of a very narrow one; in CSS pixels. */
const LONGEST = 320;
const SHORTEST = 48;
/** Side of one picture among several, and the space between two; in CSS pixels. */
const SQUARE = 116;
const GAP = 6;

export type Frame = { width: number; height: number };

/**
 * Returns the size in CSS pixels at which a picture of `width` x `height` pixels is shown in a message. Its shape is
 * that of the picture, except for very narrow pictures, which are cut. A picture of unknown size gets a square.
 */
export function pictureFrame(width = 0, height = 0): Frame {
  if (width <= 0 || height <= 0) return { width: LONGEST / 2, height: LONGEST / 2 };
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const side = (pixels: number) => Math.max(SHORTEST, Math.round(pixels * scale));
  return { width: side(width), height: side(height) };
}

/** Returns the columns of the squares in which several pictures are shown, and the size of all of them in CSS pixels. */
export function pictureGrid(count: number): Frame & { columns: number } {
  const columns = count <= 4 ? count : count <= 6 ? 3 : 4;
  const length = (squares: number) => squares * (SQUARE + GAP) - GAP;
  return { columns, width: length(columns), height: length(Math.ceil(count / columns)) };
}

/** Returns the style of a box of this size, which keeps its shape in a narrower column. */
export const frameStyle = ({ width, height }: Frame) => ({
  width,
  maxWidth: "100%",
  aspectRatio: `${width} / ${height}`,
});
