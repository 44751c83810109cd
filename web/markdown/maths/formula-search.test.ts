import { describe, expect, test } from "vitest";
import { dollarFormulas } from "#contract/text/dollar-formulas.ts";
import { FormulaSearch } from "./formula-search.ts";

const formulas = [
  ...[
    "$x$",
    "$E=mc^2$",
    "$\\alpha$",
    "$n$-th",
    "($x$)",
    "**$x$**",
    '"$x$"',
    "$x$, $y$",
    "($\\frac{1}{2}$)",
    "$[0, 1)$",
  ],
  ...[
    "$f(x)$",
    "$(a + b)$",
    "$2x + 3y$",
    "$5$",
    "$10\\%$",
    "$|x|$",
    "$2 sin x$",
    "$O(n log n)$",
    "$n!$",
    "$]0, 1[$",
    "$.5$",
  ],
  ...[
    "$x \\text{ for all } x$",
    "$\\{1, 2\\}$",
    "$A = {1}$",
    "$x < y$",
    "$a * b$",
    "$2 x dx$",
    "$10^{-3}$",
    "$'$",
    "$αβγ$",
    "$:=$",
  ],
  ...["$P(A|B)$", "$x_1, x_2, \\dots$", "$-1$", "*$x$*"],
];
const words = [
  ...[
    "costs $5 (about 4€/$) now",
    "**$5** to **10$**",
    "($) or ($)",
    '"$" and "$"',
    "“$” and “$”",
    "$5 to 10$",
    "*$5* to 10$",
  ],
  ...[
    "$5 and 10$.",
    "from $1,000 up to 2,000$",
    "($5 or 10$)",
    "$5/month or 50$",
    "$5 = 500 cents, not 10$",
    "_$5_ or 10$",
  ],
  ...[
    "[$5](https://a.b) or 10$",
    "价格$5到10$。",
    "$5（约4欧元/$）",
    "$total, the whole sum$",
    "$5–$10",
    "US$5, A$7",
    "$5, £4 or 10$",
  ],
];

describe("text between single dollars", () => {
  test.each(formulas)("text between single dollars is a formula: %s", (text) => {
    expect(dollarFormulas(text)).toBe(text.replaceAll(/(?<!\\)\$/g, "$$$$"));
    expect(new FormulaSearch().find(text)).toBe(text.indexOf("$"));
  });

  test.each(words)("text between single dollars is prose: %s", (text) => {
    expect(dollarFormulas(text)).toBe(text);
    expect(new FormulaSearch().find(text)).toBeNull();
  });
});

test("recognizes a formula after prices", () => {
  const text = "It costs $5 (about 4€/$) or **$5** to **10$**, with $x$ of them";
  expect(dollarFormulas(text)).toBe(text.replace("$x$", "$$$$x$$$$"));
  expect(new FormulaSearch().find(text)).toBe(text.indexOf("$x$"));
});

test.each([
  ["in a line that goes on", ["The sum $x ", "+ y", "$ is"], 8],
  ["of two signs that come apart", ["Words\n\\", "[x\\]"], 6],
  ["of two dollars that come apart", ["Words.\n\n$", "$x"], 8],
  ["at once", ["a $x$ b"], 2],
  ["nowhere", ["Words ", "and $5\n", "more$"], null],
])("the first formula is found as the text grows: %s", (_, pieces, expected) => {
  const search = new FormulaSearch();
  let text = "";
  for (const piece of pieces) {
    text += piece;
    search.find(text);
  }
  expect(search.find(text)).toBe(expected);
  expect(search.find("Another text")).toBeNull();
});
