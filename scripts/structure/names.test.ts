import { expect, test } from "vitest";
import { areNearNames, deniedWordProblems, nameProblems } from "./names.ts";
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

test("a denied word of identifiers is reported above its number of files, and a number that is too high as well", () => {
  const source = [
    parseSourceFile("web/a/form.tsx", "export const Form = () => <p id={setTold(told)}>Kept</p>;"),
    parseSourceFile("web/a/queue.ts", 'class Queue {\n  #isKept = "told";\n}\n// told'),
    parseSourceFile("web/a/box.tsx", "export const Box = () => <input placeholder={isToldOff} />;"),
    parseSourceFile("web/a/form.test.tsx", "const told = kept;"),
    parseSourceFile("server/a/form.ts", "const told = kept;"),
  ];
  expect(deniedWordProblems(source, "web", { told: 1, kept: 2, place: 0, nudge: 2 })).toEqual([
    'Identifiers of web/ use "told" in 3 files, 1 are allowed: web/a/form.tsx, web/a/box.tsx, web/a/form.test.tsx.',
    'Lower the allowed number of files with "nudge" to 0.',
  ]);
});

test("a denied word of two words is found in their order only", () => {
  const source = [
    parseSourceFile("web/a/send.ts", "export const mayGoAhead = 1;"),
    parseSourceFile("web/a/list.ts", "const ahead = 1;\nexport const goes = ahead;\nexport const go = 2;"),
  ];
  expect(deniedWordProblems(source, "web", { goAhead: 0 })).toEqual([
    'Identifiers of web/ use "goAhead" in 1 files, 0 are allowed: web/a/send.ts.',
  ]);
});
