/** Pictures of kinds that the server does not accept. */

import { stripedPng } from "./picture-encoders.ts";

/** AVIF of 160 × 80 pixels, written by libheif. */
export const avifPicture: Buffer = Buffer.from(
  [
    "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAAB",
    "AAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAfwAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAA",
    "ABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAACgAAAAUAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYID",
    "hAAAAIdtZGF0EgAKBhgdp+ewITJzEgACiiihQNf/L/etX3xMqwkLX//0gIMvxyls+B7+xpGbn0O1nZiZOMjoP8u/+sBY7g5maRHABO9fwk040207xP7e",
    "n4uqdDU9qbJAJPMBGAtWPGzfbxA+jt+uJX/4BlURAWBonyuLdni8EXLS9y6Q/9M9oA==",
  ].join(""),
  "base64",
);

const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

/** Returns a BMP file of one colour, of 24 bits for each pixel. Dimensions in pixels; `width` is a multiple of 4. */
export function bmpOf(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(3 * width * height, Buffer.from([200, 120, 40]));
  const head = Buffer.concat([Buffer.from("BM"), uint32(54 + pixels.length, 0, 54)]);
  const info = [uint32(40, width, height), uint16(1, 24), uint32(0, pixels.length, 2835, 2835, 0, 0)];
  return Buffer.concat([head, ...info, pixels]);
}

/** Returns an icon file with one picture, which is a PNG. Dimensions in pixels, at most 255. */
export function icoOf(width: number, height: number): Buffer {
  const picture = stripedPng(width, height);
  const entry = [Buffer.from([width, height, 0, 0]), uint16(1, 24), uint32(picture.length, 22)];
  return Buffer.concat([uint16(0, 1, 1), ...entry, picture]);
}

/** Returns a TIFF file of one colour, of 8 bits for each of red, green and blue. Dimensions in pixels. */
export function tiffOf(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(3 * width * height, Buffer.from([40, 120, 200]));
  const [SHORT, LONG] = [3, 4];
  const tags = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, 8],
    [277, SHORT, 1, 3],
    [278, LONG, 1, height],
    [279, LONG, 1, pixels.length],
  ] as const;
  const entries = tags.map(([tag, type, count, value]) => Buffer.concat([uint16(tag, type), uint32(count, value)]));
  const directory = Buffer.concat([uint16(tags.length), ...entries, uint32(0)]);
  return Buffer.concat([Buffer.from("II*\0"), uint32(8 + pixels.length), pixels, directory]);
}
