import { expect, test } from "vitest";
import { FUNCTION_MAX_LINES, functionLengthProblems } from "./function-lengths.ts";
import { parseSourceFile } from "./source-files.ts";

/** Lines of a block that make a function with its first and last line as long as `lines`. */
const body = (lines: number) => "  run();\n".repeat(lines - 2);
const problemsIn = (text: string, path = "web/a.tsx") => functionLengthProblems([parseSourceFile(path, text)]);
const tooLong = FUNCTION_MAX_LINES + 1;

test.each([
  ["Page", `export function Page() {\n${body(tooLong)}}\n`],
  ["Page", `export const Page = memo(function Page() {\n${body(tooLong)}});\n`],
  ["read", `const read = async () => {\n${body(tooLong)}};\n`],
  ["read", `class Store {\n  read() {\n${body(tooLong)}  }\n}\n`],
  ["A function without a name", `test(() => {\n${body(tooLong)}});\n`],
])("the long function %s is reported", (name, text) => {
  expect(problemsIn(text)).toEqual([`web/a.tsx: ${name} has 81 lines, 80 are allowed.`]);
});

test("blank lines, comments and JSX count as lines of a function", () => {
  const text = `function Page() {\n\n  // why\n  return (\n    <>\n${"      <hr />\n".repeat(75)}    </>\n  );\n}\n`;
  expect(problemsIn(text)).toEqual(["web/a.tsx: Page has 83 lines, 80 are allowed."]);
});

test("a function of the largest length is allowed, however long its file", () => {
  expect(problemsIn(`function read() {\n${body(FUNCTION_MAX_LINES)}}\n`.repeat(3))).toEqual([]);
});

test.each(["web/a.test.tsx", "web/testing/a.ts", "scripts/a.ts"])("a long function in %s is allowed", (path) => {
  expect(problemsIn(`function read() {\n${body(tooLong)}}\n`, path)).toEqual([]);
});
