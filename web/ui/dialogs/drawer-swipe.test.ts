import { expect, test } from "vitest";
import { endsOpen, speedOf } from "./drawer-swipe.ts";

test("a slow swipe of a drawer ends in the nearer state", () => {
  expect(endsOpen(0.6, 0)).toBe(true);
  expect(endsOpen(0.4, 0.1)).toBe(false);
  expect(endsOpen(0.6, -0.1)).toBe(true);
});

test("the direction of a fast swipe of a drawer decides, whatever the position", () => {
  expect(endsOpen(0.1, 0.8)).toBe(true);
  expect(endsOpen(0.9, -0.8)).toBe(false);
});

test("the speed of a swipe is measured over the last moments only", () => {
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
