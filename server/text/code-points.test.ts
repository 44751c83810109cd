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

it("many positions of a long text are converted by one pass", () => {
  const points = new CodePoints(`👋${"x".repeat(1_000_000)}`);
  // The time of a pass for each would be many minutes.
  for (let count = 1; count < 200_000; count++) expect(points.unitAt(0, 500_000 + count)).toBe(500_001 + count);
});
