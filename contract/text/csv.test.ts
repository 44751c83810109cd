import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test.each([
  ["=HYPERLINK(A1)", "'=HYPERLINK(A1)"],
  ["  +1", "  '+1"],
  ["\uFF1D1+1", "'\uFF1D1+1"],
  ["\uFF20SUM", "'\uFF20SUM"],
  ["x;=HYPERLINK(A1)", "x;'=HYPERLINK(A1)"],
  ["x;=1;=2", "x;'=1;'=2"],
  ["x|\t-1", "x|\t'-1"],
  ["\n@SUM", "'\n'@SUM"],
  ["\tTab", "'\tTab"],
  ["a-b=c@example.org+1", "a-b=c@example.org+1"],
  ["", ""],
])("P9 the cell of %j begins no formula", (text, shown) => {
  expect(csvLine([text])).toBe(`"${shown}"\r\n`);
});

test("P9 no text begins a formula, whatever separates the cells", () => {
  const signs = fc.constantFrom(..."=+-@\uFF1D\uFF0B\uFF0D\uFF20;,|\t\r\n \"'a1(");
  fc.assert(
    fc.property(fc.array(fc.string({ unit: signs })), (cells) => {
      const line = csvLine(cells);
      for (const cell of line.split(/[;,|\t\r\n]/))
        expect(cell.replace(/^["\s]+/, "")).not.toMatch(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/);
    }),
  );
});

test("numbers are not quoted, absent values are empty, and quotes are doubled", () => {
  expect(csvLine([1, undefined, 'a "b", c', -2])).toBe('1,,"a ""b"", c",-2\r\n');
});
