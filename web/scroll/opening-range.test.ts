import { expect, test } from "vitest";
import { openingRange } from "./opening-range.ts";

const VIEW = 800;
/** A chat of questions with answers of this many lines. */
const chatOf = (count: number, lines: number) =>
  Array.from({ length: count }, (_, at) =>
    at % 2 === 0
      ? { role: "user" as const, content: "Question" }
      : {
          role: "assistant" as const,
          content: "A line of about eighty characters, as long as it is on the page.\n".repeat(lines),
        },
  );

test("an opened chat renders few messages first if they are long", () => {
  expect(openingRange(chatOf(2000, 100), -1, VIEW)).toEqual({ start: 1996, end: null });
  expect(openingRange(chatOf(2000, 100), 1001, VIEW)).toEqual({ start: 999, end: 1004 });
});

test("an opened chat renders more messages first if they are short, and more in a high view", () => {
  expect(openingRange(chatOf(2000, 1), -1, VIEW)).toEqual({ start: 1988, end: null });
  expect(openingRange(chatOf(2000, 8), -1, VIEW)).toEqual({ start: 1994, end: null });
  expect(openingRange(chatOf(2000, 8), -1, 2 * VIEW)).toEqual({ start: 1988, end: null });
  expect(openingRange(chatOf(2000, 1), 1000, VIEW)).toEqual({ start: 994, end: 1014 });
});

test("an opened chat renders all messages of a short chat", () => {
  expect(openingRange(chatOf(2, 100), -1, VIEW)).toEqual({ start: 0, end: null });
  expect(openingRange(chatOf(3, 1), 0, VIEW)).toEqual({ start: 0, end: null });
  expect(openingRange([], -1, VIEW)).toEqual({ start: 0, end: null });
});

test("an opened chat counts a long question as folded", () => {
  const question = { role: "user" as const, content: "A line\n".repeat(500) };
  expect(openingRange(Array(100).fill(question), -1, VIEW)).toEqual({ start: 96, end: null });
  expect(openingRange(Array(100).fill(question), -1, 2 * VIEW)).toEqual({ start: 93, end: null });
});
