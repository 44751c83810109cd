import { expect, test } from "vitest";
import { dollarFormulas } from "./maths.ts";

test.each([
  ["a \\(x^2\\) b", "a $$x^2$$ b"],
  ["a\n\\[\nx\n\\]\nb", "a\n\n$$\nx\n$$\n\nb"],
  ["`\\(x\\)` and ``a ` \\(y\\)``", "`\\(x\\)` and ``a ` \\(y\\)``"],
  ["```tex\n\\[x\\]\n```\n\\(y\\)", "```tex\n\\[x\\]\n```\n$$y$$"],
  ["```tex\n\\[x\\]", "```tex\n\\[x\\]"],
  ["a \\(open", "a \\(open"],
  ["$$x$$", "$$x$$"],
])("%j is read as %j", (text, read) => {
  expect(dollarFormulas(text)).toBe(read);
});
