import { expect, test } from "vitest";
import { pictureFrame, pictureGrid } from "./picture-frame.ts";

test.each([
  ["a photo in landscape format", 4000, 3000, { width: 320, height: 240 }],
  ["a photo in portrait format", 1080, 1920, { width: 180, height: 320 }],
  ["a small picture, which is not enlarged", 200, 100, { width: 200, height: 100 }],
  ["a long strip", 2000, 20, { width: 320, height: 48 }],
  ["an icon", 16, 16, { width: 48, height: 48 }],
  ["a picture of unknown size", undefined, undefined, { width: 160, height: 160 }],
])("computes the frame of %s", (_name, width, height, frame) => {
  expect(pictureFrame(width, height)).toEqual(frame);
});

test.each([
  [2, { columns: 2, width: 238, height: 116 }],
  [4, { columns: 4, width: 482, height: 116 }],
  [5, { columns: 3, width: 360, height: 238 }],
  [10, { columns: 4, width: 482, height: 360 }],
])("computes the grid of %d pictures", (count, grid) => {
  expect(pictureGrid(count)).toEqual(grid);
});
