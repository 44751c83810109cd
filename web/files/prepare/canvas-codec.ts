import type { PictureCodec, PictureSize } from "./prepare-picture.ts";

const JPEG_QUALITY = 0.85;
/** A transparent corner of the whole picture is still visible in a copy of this size. */
const ALPHA_SAMPLE = 256;
const OPAQUE = 255;

/** Ends the task, so that key presses and frames come between the steps. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Decodes and encodes pictures with the browser's decoders and a canvas. */
export const canvasCodec: PictureCodec<ImageBitmap> = {
  isFaithful() {
    isFaithful ??= checkCanvas();
    return isFaithful;
  },

  decode: (file) => createImageBitmap(file, { imageOrientation: "from-image" }),

  async hasAlpha(picture) {
    await pause();
    const scale = Math.min(1, ALPHA_SAMPLE / Math.max(picture.width, picture.height));
    const width = Math.max(1, Math.round(picture.width * scale));
    const height = Math.max(1, Math.round(picture.height * scale));
    const { context } = draw(picture, { width, height });
    const { data } = context.getImageData(0, 0, width, height);
    for (let at = 3; at < data.length; at += 4) if (data[at] !== OPAQUE) return true;
    return false;
  },

  async encode(picture, size, type) {
    await pause();
    const { canvas } = draw(picture, size);
    await pause();
    const blob = await toBlob(canvas, type);
    // A browser that cannot write a type writes PNG.
    return blob?.type === type ? blob : null;
  },
};

let isFaithful: boolean | undefined;
const TEST_COLOUR = [64, 160, 96, OPAQUE];

/** Against fingerprinting, some browsers return noise instead of what was drawn. */
function checkCanvas(): boolean {
  const side = 8;
  const { context } = createCanvas(side, side);
  if (!context) return false;
  context.fillStyle = `rgb(${TEST_COLOUR.slice(0, 3).join(" ")})`;
  context.fillRect(0, 0, side, side);
  return context.getImageData(0, 0, side, side).data.every((value, at) => value === TEST_COLOUR[at % 4]);
}

type Canvas = OffscreenCanvas | HTMLCanvasElement;
type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

function draw(picture: ImageBitmap, { width, height }: PictureSize): { canvas: Canvas; context: Context } {
  const { canvas, context } = createCanvas(width, height);
  if (!context) throw new Error("The browser has no canvas");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  return { canvas, context };
}

function createCanvas(width: number, height: number): { canvas: Canvas; context: Context | null } {
  if (typeof OffscreenCanvas === "function") {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext("2d") };
  }
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  return { canvas, context: canvas.getContext("2d") };
}

function toBlob(canvas: Canvas, type: string): Promise<Blob | null> {
  if ("convertToBlob" in canvas) return canvas.convertToBlob({ type, quality: JPEG_QUALITY });
  return new Promise((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
}
