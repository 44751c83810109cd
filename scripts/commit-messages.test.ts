import { expect, test } from "vitest";
import { subjectProblems } from "./commit-messages.ts";

test.each([
  "search: bound combining marks before normalising",
  "server, testing: inline files with one importer",
  "docs: focus the README on people who run it",
  ".ci: bring nginx",
])("accepts the subject “%s” of a commit", (subject) => {
  expect(subjectProblems(subject)).toEqual([]);
});

test.each([
  ["Whoever leaves is asked", "It does not begin with `area: ` and a verb in lower case."],
  ["web: Draw diagrams", "It does not begin with `area: ` and a verb in lower case."],
  ["web: draws diagrams", '"draws" is not an imperative.'],
  ["web: added a test", '"added" is not an imperative.'],
  ["web: draw diagrams.", "It ends with a full stop."],
  [`web: draw ${"x".repeat(70)}`, "It has 80 characters, of 72 allowed."],
])("refuses the subject “%s” of a commit", (subject, problem) => {
  expect(subjectProblems(subject)).toEqual([problem]);
});
