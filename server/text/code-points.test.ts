import { expect, it } from "vitest";
import { CodePoints } from "./code-points.ts";

it("positions in code points become those in UTF-16 units, from any position", () => {
  const text = "a👋b👋👋c\ud83d";
  const points = new CodePoints(text);
  for (const from of [0, 1, 3, 4, 6, 8]) {
    const characters = Array.from(text.slice(from));
    for (let count = 0; count <= characters.length; count++)
      expect(points.unitAt(from, count)).toBe(from + characters.slice(0, count).join("").length);
  }
  expect([points.differAfter(6), points.differAfter(8)]).toEqual([true, false]);
});
