import { expect, test } from "vitest";
import { drawnDiagrams } from "./drawn-diagrams.ts";

const drawn = { height: 100, kind: "flowchart", title: "", description: "" };

test("what was drawn is known in its session, and in no other", () => {
  const session = {};
  drawnDiagrams(session).keep("a", drawn);
  expect(drawnDiagrams(session).find("a")).toBe(drawn);
  expect(drawnDiagrams({}).find("a")).toBeUndefined();
  drawnDiagrams(null).keep("a", drawn);
  expect(drawnDiagrams(null).find("a")).toBeUndefined();
});

test("of very many the last ones are known", () => {
  const diagrams = drawnDiagrams({});
  for (let at = 0; at < 300; at += 1) diagrams.keep(`${at}`, drawn);
  expect(diagrams.find("0")).toBeUndefined();
  expect(diagrams.find("299")).toBe(drawn);
});
