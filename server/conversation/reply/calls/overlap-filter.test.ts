import { expect, test } from "vitest";
import { OverlapFilter } from "./overlap-filter.ts";

function continued(text: string, ...pieces: string[]): string {
  const filter = new OverlapFilter(text);
  return pieces.map((piece) => filter.push(piece)).join("") + filter.end();
}

test.each([
  ["repeated words", "The quick brown fox jumps", ["brown fox jumps", " over"], " over"],
  ["words repeated piece by piece", "The quick brown fox jumps", ["bro", "wn ", "fox jum", "ps ov", "er"], " over"],
  ["everything repeated and nothing more", "The quick brown fox jumps", ["brown fox jumps"], ""],
  ["a chance match of a few letters", "bal", ["loon"], "loon"],
  ["a short word that is said again", "It was very", [" very", " good"], " very good"],
  ["indentation", "if (x) {\n            ", ["            y();"], "y();"],
  ["a ruler that goes on", `| a |\n|${"-".repeat(20)}`, ["-".repeat(20), "|"], `${"-".repeat(20)}|`],
  ["a line end that was not sent along", "One.\n\n", ["\n", "Two."], "Two."],
  ["a line end after none", "One.", ["\n\n", "Two."], "\n\nTwo."],
  ["nothing in common", "One two three", ["four"], "four"],
  [
    "what occurs in the middle only",
    "alpha beta gamma delta epsilon",
    ["beta gamma delta zeta"],
    "beta gamma delta zeta",
  ],
])("removes or keeps the beginning of a continuation: %s", (_what, text, pieces, added) => {
  expect(continued(text, ...pieces)).toBe(added);
});

test("removes a repetition of at most 200 characters", () => {
  const text = Array.from({ length: 100 }, (_, index) => `word${index}`).join(" ");
  expect(continued(text, text)).toBe(text);
  expect(continued(text, `${text.slice(-200)} more`)).toBe(" more");
});
