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
  ["Efﬁcient", "effi", [[0, 3]]],
  ["Stra\u00dfe", "STRASS", [[0, 5]]],
  ["cre\u0300me", "crem", [[0, 5]]],
  ["Ὀδυσσεύς", "οδυσσευσ", [[0, 8]]],
  [
    "gpt-5-nano",
    "5 nan",
    [
      [4, 5],
      [6, 9],
    ],
  ],
  ["新しいチャット", "チャット", [[3, 7]]],
  ["新しいGPT模型", "gpt", [[3, 6]]],
  [
    "東京都と東京",
    "京都 東京",
    [
      [0, 3],
      [4, 6],
    ],
  ],
  ["ภาษาไทยไม่ยาก", "ไทย", [[4, 7]]],
  ["새 한국어 채팅", "국어", [[3, 5]]],
  ["Anything", "  ", []],
] as const)("finds in %s the words of %s", (text, query, marks) => {
  expect(matchWords(text, query)).toEqual(marks);
});
