import { expect, test } from "vitest";
import { parseSourceFile } from "./source-files.ts";
import { testTitleProblems } from "./test-titles.ts";

const problemsIn = (text: string, path = "web/a/b.test.ts") => testTitleProblems([parseSourceFile(path, text)]);
const problem = (title: string) =>
  `web/a/b.test.ts: "${title}" is half a sentence. Write the whole one, with its subject.`;

test.each([
  ['test("is sent once", () => {});', "is sent once"],
  [
    'describe("a file", () => { test("of a message cannot be removed", async () => {}); });',
    "of a message cannot be removed",
  ],
  ['test.skipIf(isWindows)("K3, K4 may be empty", () => {});', "K3, K4 may be empty"],
  ['test.each([1, 2])("whose size is %d is refused", () => {});', "whose size is %d is refused"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a test
  ["test(`that ${name} is named`, () => {});", "that %s is named"],
  ['it("Z4 has no path", { retry: 0 }, () => {});', "Z4 has no path"],
])("refuses the half sentence in %s", (text, title) => {
  expect(problemsIn(text)).toEqual([problem(title)]);
});

test.each([
  'test("a file of a message cannot be removed", () => {});',
  'test("refuses a file that is empty", () => {});',
  'test("island names are sorted", () => {});',
  'describe("of a chat", () => {});',
  'const found = /x/.test("is this a title");',
  'test.use({ name: "of a setting" });',
])("accepts the title in %s", (text) => {
  expect(problemsIn(text)).toEqual([]);
});

test("does not read the titles of product files", () => {
  expect(problemsIn('test("is sent once", () => {});', "web/a/b.ts")).toEqual([]);
});
