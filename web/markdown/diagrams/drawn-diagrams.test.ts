import { expect, test } from "vitest";
import { drawnDiagrams } from "./drawn-diagrams.ts";

const drawn = { height: 100, size: { width: 50, height: 80 }, kind: "flowchart", title: "", description: "" };

test("a drawing is cached in its session, and in no other", () => {
  const session = {};
  drawnDiagrams(session).keep("a", drawn);
  expect(drawnDiagrams(session).find("a")).toBe(drawn);
  expect(drawnDiagrams({}).find("a")).toBeUndefined();
  drawnDiagrams(null).keep("a", drawn);
  expect(drawnDiagrams(null).find("a")).toBeUndefined();
});

test("the cache evicts the oldest drawings", () => {
  const diagrams = drawnDiagrams({});
  for (let at = 0; at < 300; at += 1) diagrams.keep(`${at}`, drawn);
  expect(diagrams.find("0")).toBeUndefined();
  expect(diagrams.find("299")).toBe(drawn);
});
