import { expect, test } from "vitest";
import { matchWords } from "./match-words.ts";

test.each([
  ["Choose a model", "mod", [[9, 12]]],
  [
    "Choose a model",
    "model choose",
    [
      [0, 6],
      [9, 14],
    ],
  ],
  ["Choose a model", "odel", null],
  ["Choose a model", "choose b", null],
  ["Ärger über Übung", "UBER", [[6, 10]]],
  ["Café", "café", [[0, 4]]],
  ["Efﬁcient", "effi", [[0, 8]]],
  [
    "gpt-5-nano",
    "5 nan",
    [
      [4, 5],
      [6, 9],
    ],
  ],
  ["新しいチャット", "チャット", [[3, 7]]],
  ["Anything", "  ", []],
] as const)("%s by %s", (text, query, marks) => {
  expect(matchWords(text, query)).toEqual(marks);
});
