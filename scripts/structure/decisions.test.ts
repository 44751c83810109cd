import { expect, test } from "vitest";
import { decisionProblems, readDecisions } from "./decisions.ts";

const records = [
  { name: "0001-one.md", text: "# 1. One\n\n**Status.** Accepted." },
  { name: "0003-three.md", text: "# 3. Three\n" },
];
const head = "| number | decision | in one line |\n|---|---|---|\n";

test("the index of decisions lists every record", () => {
  expect(decisionProblems(readDecisions())).toEqual([]);
});

test("an index of decisions with one row for each record has no problems", () => {
  const index = `${head}| 1 | [One](0001-one.md) | First. |\n| 3 | [Three](0003-three.md) | Third. |\n`;
  expect(decisionProblems({ index, records })).toEqual([]);
});

test("missing, unknown and unordered rows in the index of decisions are reported", () => {
  const index = `${head}| 3 | [Three](0003-three.md) | Third. |\n| 1 | [Once](0001-one.md) | First. |\n`;
  expect(decisionProblems({ index, records })).toEqual([
    "docs/decisions/README.md lacks the row: | 1 | [One](0001-one.md) | ",
    "docs/decisions/README.md has a row without a record: | 1 | [Once](0001-one.md) | First. |",
    "docs/decisions/README.md has the number 1 twice or out of order.",
  ]);
});
