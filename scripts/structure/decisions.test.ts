import { expect, test } from "vitest";
import { decisionProblems, readDecisions } from "./decisions.ts";

const records = [
  { name: "0001-one.md", text: "# 1. One\n\n**Status.** Accepted." },
  { name: "0003-three.md", text: "# 3. Three\n" },
];
const head = "The number 2 was never used: no record has it.\n\n| number | decision | in one line |\n|---|---|---|\n";

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

test("a gap in the numbers of decisions that the index does not name is reported, and so is a named number in use", () => {
  const rows = "| 1 | [One](0001-one.md) | First. |\n| 9 | [Nine](0009-nine.md) | Ninth. |\n";
  const gapped = [
    { name: "0001-one.md", text: "# 1. One\n" },
    { name: "0009-nine.md", text: "# 9. Nine\n" },
  ];
  const problems = (sentence: string) => decisionProblems({ index: `${sentence}\n\n${rows}`, records: gapped });
  expect(problems("The numbers 2, 3 and 4 to 8 were never used: branches chose them.")).toEqual([]);
  expect(problems("The number 2 was never used.\n\nThe numbers 3 to 8 and 10 are reserved for branches.")).toEqual([]);
  expect(problems("The numbers 1, 2 and 4 to 7 were never used.")).toEqual([
    "docs/decisions/README.md does not name the number 3, which has no record.",
    "docs/decisions/README.md does not name the number 8, which has no record.",
    "docs/decisions/README.md names the number 1 as unused, but it has a record.",
  ]);
  expect(problems("")).toHaveLength(7);
});
