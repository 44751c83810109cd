import { expect, test } from "vitest";
import { tooltipPosition } from "./tooltip-position.ts";

const screen = { width: 400, height: 300 };
const size = { width: 100, height: 20 };
const at = (left: number, top: number) => ({ left, top, width: 40, height: 40 });

test.each([
  ["below its anchor", at(180, 100), { left: 150, top: 146 }],
  ["above it at the bottom of the window", at(180, 250), { left: 150, top: 224 }],
  ["within the window at its left edge", at(0, 100), { left: 8, top: 146 }],
  ["within the window at its right edge", at(360, 100), { left: 292, top: 146 }],
])("a tooltip is placed %s", (_, anchor, expected) => {
  expect(tooltipPosition(anchor, size, screen, { isBeside: false, isRightToLeft: false })).toEqual(expected);
});

test.each([
  ["right of it", at(10, 100), false, { left: 56, top: 110 }],
  ["left of it from right to left", at(350, 100), true, { left: 244, top: 110 }],
  ["below it if there is no space", at(300, 100), false, { left: 270, top: 146 }],
  ["beside it at the top of the window", at(10, -30), false, { left: 56, top: 8 }],
])("a tooltip beside its anchor is placed %s", (_, anchor, isRightToLeft, expected) => {
  expect(tooltipPosition(anchor, size, screen, { isBeside: true, isRightToLeft })).toEqual(expected);
});

test("a tooltip that is higher than the window begins at its top", () => {
  const high = { width: 100, height: 500 };
  expect(tooltipPosition(at(180, 100), high, screen, { isBeside: false, isRightToLeft: false }).top).toBe(8);
});
