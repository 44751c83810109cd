import { expect, test } from "vitest";
import { PieceSize } from "./piece-size.ts";

const KIB = 1024;

test("pieces of an upload grow while they are fast, up to 4 MiB", () => {
  const size = new PieceSize();
  const sizes = Array.from({ length: 5 }, () => {
    const { bytes } = size;
    size.sent(100);
    return bytes / KIB;
  });
  expect(sizes).toEqual([512, 1024, 2048, 4096, 4096]);
});

test("pieces of 2 to 8 seconds stay, slow and lost ones shrink, down to 64 KiB", () => {
  const size = new PieceSize();
  size.sent(2000);
  size.sent(8000);
  expect(size.bytes).toBe(512 * KIB);
  size.sent(8001);
  expect(size.bytes).toBe(256 * KIB);
  for (let lost = 0; lost < 5; lost += 1) size.lost();
  expect(size.bytes).toBe(64 * KIB);
});
