import { expect, test } from "vitest";
import budgets from "./budgets.json" with { type: "json" };
import { planOf, stages } from "./plan.ts";

const names = Object.keys(stages);

test("npm test and the proof run every stage once", () => {
  for (const length of ["test", "proof"] as const) expect(planOf(length).flat(2).sort()).toEqual(names.toSorted());
});

test("every stage of a plan exists", () => {
  for (const length of ["quick", "rest"] as const) {
    expect(
      planOf(length)
        .flat(2)
        .filter((name) => !names.includes(name)),
    ).toEqual([]);
  }
});

test("each stage has a budget of processor time", () => {
  expect(Object.keys(budgets.stages).sort()).toEqual(names.toSorted());
});
