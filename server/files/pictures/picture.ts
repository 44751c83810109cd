/** Bound of width times height. A decoded pixel takes 4 bytes, so that such a picture takes 200 MB in a browser. */
export const MAX_PIXELS = 50_000_000;

/**
 * A picture as it is stored. `width` and `height`: in pixels, as displayed. `pieces`: in this order they are the file
 * without metadata. `isAnimated`: it has several frames.
 */
export type Picture = { width: number; height: number; pieces: PicturePiece[]; isAnimated?: boolean };

/** Literal bytes, or a range of the source; `to` is exclusive. */
export type PicturePiece = Uint8Array | { from: number; to: number };

/** `broken`: not a complete file of its format; `too-large`: more pixels than `MAX_PIXELS`. */
export type PictureDefect = "broken" | "too-large";

/** A picture that is refused. The message says what is wrong with the file; it is in English and for logs. */
export class BrokenPicture extends Error {
  readonly reason: PictureDefect;

  constructor(message: string, reason: PictureDefect = "broken") {
    super(message);
    this.reason = reason;
  }
}

/** Checks dimensions in pixels. @throws BrokenPicture if one is 0, or if there are too many pixels */
export function checkDimensions(width: number, height: number): void {
  if (width === 0 || height === 0) throw new BrokenPicture("The picture has no pixels");
  if (width * height > MAX_PIXELS) throw new BrokenPicture(`The picture has ${width} × ${height} pixels`, "too-large");
}
