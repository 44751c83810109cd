import { describe, expect, it } from "vitest";
import { MarkScanner } from "./mark-scanner.ts";

/** Returns the marks with the words before them, by one call, and by a call after each piece of the text. */
function marksOf(text: string, piece = text.length): string[] {
  const scanner = new MarkScanner();
  const ends: number[] = [];
  for (let to = piece; to < text.length; to += piece) {
    ends.push(...Array.from(scanner.scan(text.slice(0, to)), ({ at }) => at));
  }
  ends.push(...Array.from(scanner.scan(text, { isEnded: true }), ({ at }) => at));
  return ends.map((at) => text.slice(Math.max(0, at - 6), at));
}

const fence = "```";

describe("marks of citations", () => {
  it.each([
    ["a formula in dollars", "$a[1]$ x"],
    ["a formula in two dollars", "so $$a[1]$$ x"],
    ["a block of a formula", "$$\nx[1]\n$$"],
    ["a block of a formula in a quote", "> $$\n> x[1]\n> $$"],
    ["formulas in brackets", "\\(x[1]\\) and \\[\nx[1]\n\\] and \\\\(x[1]\\\\)"],
    ["an environment of formulas", "\\begin{align}\nx[1]\n\\end{align}\n"],
    ["a code span", "A list`[1]` and `` ` [1] ``"],
    ["a code span of two lines", "A `list\n[1]` x"],
    ["a fence in a list", `- One\n\n  ${fence}js\n  x[1]\n  ${fence}`],
    ["a fence behind the marker of a list", `- ${fence}\n  x[1]\n  ${fence}`],
    ["a fence in a quote", `> ${fence}\n> x[1]\n> ${fence}`],
    ["a longer fence around another", `\`${fence}md\n${fence}\nx[1]\n${fence}\nx[1]\n\`${fence}`],
    ["a fence of tildes around one of backticks", `~~~\n${fence}\nx[1]\n~~~`],
    ["a fence without an end", `${fence}\nx[1]\n\nx[1]`],
    ["an escape", "An \\[1]."],
    ["a definition of a link", "[1]: https://a.example\n\n  [2]: <https://b.example> 'B'"],
    ["a link", "A [1](https://a.example)."],
  ])("in %s are none", (_what, text) => {
    expect(marksOf(text)).toEqual([]);
    expect(marksOf(text, 1)).toEqual([]);
  });

  it.each([
    ["behind a single backtick", "The key ` is a backtick [1].", ["ck [1]"]],
    ["behind backticks without an end", "`` [1]", ["`` [1]"]],
    ["behind backticks of other lengths", "` `` ``` x [1]", [" x [1]"]],
    ["behind a backtick of another paragraph", "A ` x [1]\n\nB ` x [2]\n- C ` x [3]", [" x [1]", " x [2]", " x [3]"]],
    ["behind a code span", "A `[1]` x [1]", [" x [1]"]],
    ["behind a fence", `~~~\n${fence}\n~~~\nx [1]`, ["\nx [1]"]],
    ["behind a fence whose quote has ended", `> ${fence}\n> x[1]\n\nx [2]`, ["\nx [2]"]],
    ["behind fences that are one span", `${fence}x${fence} [1]`, ["`` [1]"]],
    ["between prices", "From $5 [1] to $10 [2], or US$3 [3]", ["$5 [1]", "10 [2]", "$3 [3]"]],
    ["behind an escaped dollar", "\\$a [1] $", ["$a [1]"]],
    ["behind doubled backslashes", "a \\\\[1]", [" \\\\[1]"]],
    ["behind formulas", "$a$ [1] and $$\nb\n$$ [2]", ["a$ [1]", "$$ [2]"]],
    ["with a colon at the beginning of a line", "[1]: so they say\n\n[2]:", ["[1]", "y\n\n[2]"]],
    ["of several numbers, side by side", "x [1, 2][3]", ["[1, 2]", " 2][3]"]],
    ["in a list and a quote", "- a [1]\n> b [2]\n\n1. c [3]", [" a [1]", " b [2]", " c [3]"]],
  ])("%s are found", (_where, text, expected) => {
    expect(marksOf(text)).toEqual(expected);
    for (const piece of [1, 2, 3, 7]) expect(marksOf(text, piece)).toEqual(expected);
  });

  it("a mark of prose is found as soon as the next character is there", () => {
    const scanner = new MarkScanner();
    expect([...scanner.scan("So it is [1]")]).toEqual([]);
    expect([...scanner.scan("So it is [1].")]).toEqual([{ at: 12, mark: "[1]" }]);
    expect([...scanner.scan("So it is [1]. ")]).toEqual([]);
  });

  // The time of a quadratic search would be minutes.
  it.each([
    ["marks", "[1] ".repeat(500_000), 500_000],
    ["lines", "a ` b [1]\n\n".repeat(200_000), 200_000],
    ["openers without an end", `\\[ \\( $$ $a ${"\\( ` $x ".repeat(100_000)}\n\n[1]`, 1],
    ["runs of backticks", Array.from({ length: 1200 }, (_, nth) => `${"`".repeat(nth + 1)} [1]`).join(" "), 1200],
    ["fences", `${fence}\nx[1]\n${fence}\n`.repeat(200_000), 0],
  ])("a text of many %s is scanned in linear time", (_what, text, expected) => {
    expect([...new MarkScanner().scan(text, { isEnded: true })]).toHaveLength(expected);
  });

  it("a text that arrives in small pieces is scanned in linear time", () => {
    const text = `A \` ${"word [1] ".repeat(20_000)}`;
    expect(marksOf(text, 4)).toHaveLength(20_000);
  });
});
