import { expect, test } from "vitest";
import { areNearNames, nameProblems } from "./names.ts";
import { parseSourceFile } from "./source-files.ts";

test.each([
  ["send-key.ts", "send-keys.ts"],
  ["later.ts", "later.tsx"],
  ["reply.ts", "replies.ts"],
  ["model-choice.ts", "models-choice.ts"],
  ["box.ts", "boxes.ts"],
  ["form.ts", "forms.tsx"],
  ["date.ts", "data.ts"],
])("%s and %s are near names", (a, b) => {
  expect(areNearNames(a, b)).toBe(true);
  expect(areNearNames(b, a)).toBe(true);
});

test.each([
  ["reply.ts", "reply-store.ts"],
  ["routes.ts", "rules.ts"],
  ["0001-initial.ts", "0002-replies.ts"],
  ["address.ts", "access.ts"],
])("%s and %s are not near names", (a, b) => {
  expect(areNearNames(a, b)).toBe(false);
});

const files = [
  parseSourceFile("web/a/day.ts", "export const groupByDay = 1;\nexport type Day = string;"),
  parseSourceFile("web/a/days.ts", "export function groupByDay() {}"),
  parseSourceFile("web/b/day.ts", 'export { groupByDay } from "../a/day.ts";\nexport default 1;'),
  parseSourceFile("web/b/day.test.ts", "export const groupByDay = 1;"),
  parseSourceFile("server/a/days.ts", "export const groupByDay = 1;"),
];

test("double exports and near names of a root are reported; tests, re-exports and other folders do not count", () => {
  expect(nameProblems(files, ["server", "web"])).toEqual([
    "Several files of web/ export groupByDay: web/a/day.ts, web/a/days.ts.",
    "The names of web/a/day.ts and days.ts are too similar.",
  ]);
});
