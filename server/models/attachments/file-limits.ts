/** Limits of an API for the files that one request contains as they are. */
export type FileLimits = {
  /** Of the whole body, in bytes. */
  requestBytes: number;
  pictures: number;
  /** Of one picture: length in base64, and width and height in pixels. */
  pictureBase64: number;
  pictureSide: number;
  /** Width and height of each picture in a request with more than `count` pictures. */
  many: { count: number; pictureSide: number };
  /** Pages of all PDF files together. */
  pages: number;
  /** Whether a GIF may have several frames. Of other animated pictures the first frame is read. */
  animatedGifs: boolean;
};

const MB = 1_000_000;

/**
 * Anthropic's documentation of vision, PDF support and request sizes (November 2026). Newer models accept more pictures
 * and pages; the limits are those of all models.
 */
export const anthropicLimits: FileLimits = {
  requestBytes: 32 * MB,
  pictures: 100,
  pictureBase64: 5 * MB,
  pictureSide: 8000,
  many: { count: 20, pictureSide: 2000 },
  pages: 100,
  // The first frame is read.
  animatedGifs: true,
};

/** OpenAI's documentation of images and file inputs (November 2026): PNG, JPEG, WebP and still GIF. */
export const openAiLimits: FileLimits = {
  requestBytes: 50 * MB,
  pictures: 500,
  pictureBase64: Number.POSITIVE_INFINITY,
  pictureSide: Number.POSITIVE_INFINITY,
  many: { count: 500, pictureSide: Number.POSITIVE_INFINITY },
  pages: Number.POSITIVE_INFINITY,
  animatedGifs: false,
};

/** Servers that imitate OpenAI's API document no limits. Their decoders read the first frame of a picture. */
export const imitatorLimits: FileLimits = { ...openAiLimits, animatedGifs: true };
