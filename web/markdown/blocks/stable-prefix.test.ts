import { expect, test } from "vitest";
import { stablePrefix } from "./stable-prefix.ts";

const words = "some words that go on and on ".repeat(3);

test.each([
  ["bold", "A **bold", "A **bold"],
  ["a mark of bold", "A *", "A "],
  ["the name of a link", "See [the words]", "See [the words"],
  ["the address of a link", "See [it](https://a.b/c_d(e", "See [it]("],
  ["the head of a table", "Look:\n\n| A | B |\n| -", "Look:\n\n"],
  ["a head without bars at its sides", "Name | Height", "Name"],
  ["such a head before its divider", "Look:\n\nName | Height\n--- | -", "Look:\n\nName"],
  ["a fence", "Do:\n\n``", "Do:\n\n"],
  ["the end of a fence", "```ts\na\n``", "```ts\na"],
  ["a formula", "It is \\(x^2", "It is "],
  ["a formula in dollars", "It is $x^2 + y", "It is "],
  ["a formula in two dollars", "It is\n\n$$\n\\frac{a}", "It is\n\n"],
  ["an empty text", "", ""],
])("holds back an undecided end of the text: %s", (_name, text, stable) => {
  expect(stablePrefix(text)).toBe(stable);
});

test.each([
  ["two dollars in code", `Write \`$$\` and ${words}`],
  ["two dollars in fenced code", `\`\`\`sh\necho $$\n\`\`\`\n\n${words}`],
  ["two dollars that are no formula", `A price of $$ is\n\nno formula ${words}`],
  ["brackets in code", `Match \`\\[\` and \`\\(\` and ${words}`],
  ["brackets in fenced code", `\`\`\`js\n/\\[\\(/\n\`\`\`\n${words}`],
  ["an address in code", `Call \`a[0](x\` with ${words}`],
  ["no address", `An item [x](is not one, but ${words}`],
  ["a variable in code", `Set \`$HOME\` and ${words}`],
  ["bars in code", `Call \`a | b\` with ${words}`],
  ["a bar of a sentence", `Either a | b, or ${words}`],
  ["a bar of a sentence that ended", `Either a | b\n\n${words}`],
  ["rows without bars at their sides", "A | B\n--- | ---\n1 | 2\n3 | 4"],
  ["prices", `From $5 or so to more, and ${words}`],
  ["whole formulas", `With $\\frac{a}{b}$, and ${words}`],
  ["a bracket of another paragraph", `An escaped \\[ one\n\n${words}`],
])("holds nothing back after %s", (_name, text) => {
  expect(stablePrefix(text.trim())).toBe(text.trim());
});

test("holds back only the end of a long text, whatever it contains", () => {
  for (const opener of ["$$", "\\[", "\\(", "$x", "[a](b", "<b>", "`", "| a |", "&"]) {
    const text = `${opener}${"x y".repeat(700)}`;
    expect(stablePrefix(text).length, opener).toBeGreaterThan(text.length - 2001);
  }
});
