import { randomBytes } from "node:crypto";
import { pngOf } from "../../testing/files/picture-encoders.ts";

const WIDTH = 1024;
/** Bytes of a line: its filter byte and its pixels. */
const LINE_BYTES = 1 + 3 * WIDTH;

/** Returns a PNG of noise, which cannot be compressed, of about `bytes` bytes. */
export function noisePicture(bytes: number): Buffer {
  const height = Math.ceil(bytes / LINE_BYTES);
  const lines = randomBytes(height * LINE_BYTES);
  // 0: the pixels are not filtered.
  for (let at = 0; at < lines.length; at += LINE_BYTES) lines[at] = 0;
  return pngOf(WIDTH, height, lines);
}
