import { expect, it } from "vitest";
import { questionPieces } from "./question-pieces.ts";

it.each([
  ["No code.\n\n# Not a heading, *not* emphasis", [["text", "No code.\n\n# Not a heading, *not* emphasis"]]],
  [
    "Why `a < b`?",
    [
      ["text", "Why "],
      ["code", "a < b"],
      ["text", "?"],
    ],
  ],
  [
    "`` a`b `` and ` `` `",
    [
      ["code", "a`b"],
      ["text", " and "],
      ["code", "``"],
    ],
  ],
  ["An unclosed ` stays", [["text", "An unclosed ` stays"]]],
  ["one `\n\n` two", [["text", "one `\n\n` two"]]],
  [
    "over `two\nlines`",
    [
      ["text", "over "],
      ["code", "two lines"],
    ],
  ],
  [
    "Fix:\n```ts\nlet a = 1;\n```\nplease",
    [
      ["text", "Fix:"],
      ["block", "let a = 1;"],
      ["text", "please"],
    ],
  ],
  ["```\nnever closed\n\n`x`", [["block", "never closed\n\n`x`"]]],
  ["~~~\n```\n~~~", [["block", "```"]]],
  [
    "```a``` b",
    [
      ["code", "a"],
      ["text", " b"],
    ],
  ],
  [
    "````\n```\n````\n\nend",
    [
      ["block", "```"],
      ["text", "\nend"],
    ],
  ],
])("splits the question %j", (text, pieces) => {
  expect(questionPieces(text).map((piece) => [piece.kind, piece.text])).toEqual(pieces);
});

it("keeps every character of a question with very many pieces", () => {
  const pieces = questionPieces("`a` ".repeat(1000));
  expect(pieces.filter(({ kind }) => kind === "code")).toHaveLength(250);
  expect(pieces.at(-1)?.text).toBe("`a` ".repeat(750).padStart(3001));
});

it.each([
  "`".repeat(1_000_000),
  "` ``\n".repeat(200_000),
  "```\n".repeat(250_000),
  "~~~a\n".repeat(200_000),
  "```a`\n".repeat(20_000),
])("I9 splits a long hostile question in linear time: %#", (text) => {
  expect(questionPieces(text).length).toBeLessThanOrEqual(502);
});
