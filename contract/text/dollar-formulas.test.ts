import { expect, test } from "vitest";
import { dollarFormulas, rewriteFormulas } from "./dollar-formulas.ts";

test.each([
  ["a \\(x^2\\) b", "a $$x^2$$ b"],
  ["a\n\\[\nx\n\\]\nb", "a\n\n$$\nx\n$$\n\nb"],
  ["`\\(x\\)` and ``a ` \\(y\\)``", "`\\(x\\)` and ``a ` \\(y\\)``"],
  ["```tex\n\\[x\\]\n```\n\\(y\\)", "```tex\n\\[x\\]\n```\n$$y$$"],
  ["```tex\n\\[x\\]", "```tex\n\\[x\\]"],
  ["a \\(open", "a \\(open"],
  ["a \\(two\nlines\\)", "a \\(two\nlines\\)"],
  ["$$x$$", "$$\nx\n$$"],
  ["$$\nx\n$$\nb", "$$\nx\n$$\nb"],
  ["$$ x\n+ y $$\nb", "$$\nx\n+ y\n$$\nb"],
  ["$$\\begin{aligned}\na &= b\n\\end{aligned}$$", "$$\n\\begin{aligned}\na &= b\n\\end{aligned}\n$$"],
  ["$$\nx $$ and words\n\n$$y$$", "$$\nx\n$$\n and words\n\n$$\ny\n$$"],
  ["$$x$$ is unknown, $$y$$ too", "$$x$$ is unknown, $$y$$ too"],
  ["a $$x\n$$ b\n$$y$$", "a $$x\n$$ b\n$$\ny\n$$"],
  ["a $$ b\n\n$$x$$", "a $$ b\n\n$$\nx\n$$"],
  ["- a\n  $$ x\n  y $$\n- b", "- a\n  $$\n  x\n  y\n  $$\n- b"],
  ["> $$ x\n> y $$\n> z", "> $$\n> x\n> y\n> $$\n> z"],
  ["$$x + y\nz", "$$\nx + y\nz"],
  ["$$\nopen", "$$\nopen"],
  ["```\n$$ x\ny $$\n```", "```\n$$ x\ny $$\n```"],
  ["`$$` a\n$$x$$", "`$$` a\n$$\nx\n$$"],
  ["$$$x$$$", "$$$x$$$"],
  ["a $x^2$, b", "a $$x^2$$, b"],
  ["$x$ and $y_1$.", "$$x$$ and $$y_1$$."],
  ["($\\frac{a}{b}$)", "($$\\frac{a}{b}$$)"],
  ["$5 and $6, or US$7", "$5 and $6, or US$7"],
  ["$5/$6, $20,000 (US$30)", "$5/$6, $20,000 (US$30)"],
  ["$HOME/bin:$PATH and $ a $", "$HOME/bin:$PATH and $ a $"],
  ["\\$5 is $x$", "\\$5 is $$x$$"],
  ["`$x$` and $two\nlines$", "`$x$` and $two\nlines$"],
  ["| $a | $b |\n|$a|$b|", "| $a | $b |\n|$a|$b|"],
  ["$5/$6, 5$ and 6$", "$5/$6, 5$ and 6$"],
  ["a $`\\sqrt2`$ b", "a $$\\sqrt2$$ b"],
  ["a \\\\(x^2\\\\) b", "a $$x^2$$ b"],
  ["a \\\\(\\\\alpha\\\\)", "a $$\\alpha$$"],
  ["a \\\\(\\alpha \\\\ x\\\\)", "a $$\\alpha \\\\ x$$"],
  ["\\\\[\ny\n\\\\]", "\n$$\ny\n$$\n"],
  ["a \\\\(open\\)", "a \\\\(open\\)"],
  [
    "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\nz",
    "$$\n\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n$$\nz",
  ],
  ["\\begin{align}\na", "\\begin{align}\na"],
  ["\\begin{itemize}\na\n\\end{itemize}", "\\begin{itemize}\na\n\\end{itemize}"],
])("rewrites the formulas in %j to %j", (text, read) => {
  expect(dollarFormulas(text)).toBe(read);
});

test.each([
  "a [1] \\(x\\) [2] b",
  "[1]\n\\[\nx\n\\]\n[2] and \\[y\\] [3]",
  "$$x$$\n[1]\n\n$$\ny $$ and [2]\n\n$z$ [3]",
  "```\n\\(x\\) [1]\n``` \n[2] `\\(y\\)` [3] $$open [4]",
  "[1]\n\\begin{align}\na\n\\end{align}\n[2]",
])("finds each mark of %j at its position in the rewritten text", (text) => {
  const { text: read, positionOf } = rewriteFormulas(text);
  for (const { 0: mark, index } of text.matchAll(/\[\d\]/g)) {
    expect(read.startsWith(mark, positionOf(index))).toBe(true);
    expect(positionOf(index + mark.length)).toBe(positionOf(index) + mark.length);
  }
  expect(positionOf(text.length)).toBe(read.length);
});

test("a position within a formula stays within its rewritten form, and positions never decrease", () => {
  const text = "a \\[x + y\\] b $$z$$";
  const { text: read, positionOf } = rewriteFormulas(text);
  const positions = Array.from({ length: text.length + 1 }, (_, at) => positionOf(at));
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(read.slice(positionOf(2), positionOf(11))).toBe("\n$$\nx + y\n$$\n");
});
