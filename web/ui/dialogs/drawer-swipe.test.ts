import { expect, test } from "vitest";
import { endsOpen, speedOf } from "./drawer-swipe.ts";

test("a slow finger leaves the drawer where it is nearer to", () => {
  expect(endsOpen(0.6, 0)).toBe(true);
  expect(endsOpen(0.4, 0.1)).toBe(false);
  expect(endsOpen(0.6, -0.1)).toBe(true);
});

test("a fast one throws it, wherever it is", () => {
  expect(endsOpen(0.1, 0.8)).toBe(true);
  expect(endsOpen(0.9, -0.8)).toBe(false);
});

test("only the last moments make the speed", () => {
  const slowThenFast = [
    { at: 0, time: 0 },
    { at: 10, time: 500 },
    { at: 12, time: 950 },
    { at: 62, time: 1000 },
  ];
  expect(speedOf(slowThenFast, 1000)).toBe(1);
  expect(speedOf(slowThenFast, 1200)).toBe(0);
  expect(speedOf([], 0)).toBe(0);
});
