import { expect, test } from "vitest";
import { planOf, stages } from "./plan.ts";

const names = Object.keys(stages);

/** Stages that run only in a proof, as they have no short form. */
const onlyInProof = ["Soak"];
const inTest = names.filter((name) => !onlyInProof.includes(name));

test("the proof runs every stage once, npm test each one that has a short form", () => {
  expect(planOf("proof").flat(2).sort()).toEqual(names.toSorted());
  expect(planOf("test").flat(2).sort()).toEqual(inTest.toSorted());
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
