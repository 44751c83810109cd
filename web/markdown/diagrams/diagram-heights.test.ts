import { beforeEach, expect, test } from "vitest";
import { expectedHeight, keepHeight } from "./diagram-heights.ts";

beforeEach(() => localStorage.clear());

test("a diagram that was drawn in this browser is expected with its height, another one with that of its source", () => {
  keepHeight("flowchart LR\n  A", 120);
  keepHeight("flowchart LR\n  B", 340);
  expect([expectedHeight("flowchart LR\n  A"), expectedHeight("flowchart LR\n  B")]).toEqual([120, 340]);
  expect(expectedHeight("flowchart LR\n  C")).toBe(74);
  expect(expectedHeight("a\n".repeat(500))).toBe(480);
});

test("a new height replaces the stored one", () => {
  keepHeight("a", 120);
  keepHeight("a", 90);
  expect(expectedHeight("a")).toBe(90);
});

test("the heights of the 300 diagrams drawn last are stored", () => {
  for (let at = 0; at < 310; at++) keepHeight(`graph ${at}`, 1000 + at);
  expect(expectedHeight("graph 9")).toBe(53);
  expect(expectedHeight("graph 10")).toBe(1010);
});

test("a damaged store is ignored", () => {
  localStorage.setItem("diagram-heights", "x y:z :: 1:-5");
  expect(expectedHeight("a")).toBe(53);
  keepHeight("a", 70);
  expect(expectedHeight("a")).toBe(70);
});
