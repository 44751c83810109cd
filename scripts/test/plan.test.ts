import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../child.mjs";
import { planOf, stages } from "./plan.ts";
import { programs } from "./stages.ts";

const names = Object.keys(stages);

/** Stages that run only in a proof, as they have no short form. */
const onlyInProof = ["Soak"];
const inTest = names.filter((name) => !onlyInProof.includes(name));

test("the proof runs every stage once, npm test each one that has a short form", () => {
  expect(planOf("proof").flat().sort()).toEqual(names.toSorted());
  expect(planOf("test").flat().sort()).toEqual(inTest.toSorted());
});

test("every stage of a plan exists", () => {
  for (const length of ["quick", "rest"] as const) {
    expect(
      planOf(length)
        .flat()
        .filter((name) => !names.includes(name)),
    ).toEqual([]);
  }
});

test("every folder with a tsconfig.json is compiled by a program", () => {
  const inside = (program: string): string[] =>
    program.endsWith(".json") ? JSON.parse(readFileSync(join(root, program), "utf8")).include : [program];
  const compiled = programs.flatMap(inside);
  const folders = globSync("*/{,*/}tsconfig.json", { cwd: root, exclude: ["node_modules", "build"] }).map(dirname);
  expect(folders).toContain("web/service-worker");
  expect(folders.filter((folder) => !compiled.includes(folder))).toEqual([]);
});
