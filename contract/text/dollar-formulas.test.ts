import { expect, test } from "vitest";
import { dollarFormulas } from "./dollar-formulas.ts";

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
])("rewrites the formulas in %j to %j", (text, read) => {
  expect(dollarFormulas(text)).toBe(read);
});
