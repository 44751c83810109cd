import { expect, test } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { NumberedProvider } from "../provider/numbered-provider.ts";
import { Report } from "../report.ts";
import { checkChat } from "./check-chat.ts";
import { Turn } from "./turn.ts";

const SEAM = 40;

/** Checks a complete reply with a reader that has the same text. @returns the violated claims */
function violated(store: (answer: string) => string, seams: number[] = [SEAM]): string[] {
  const report = new Report(() => undefined);
  const turn = new Turn("chat", new NumberedProvider().ask({ pieces: 60, paceMs: 0 }));
  turn.ackedAt = 0;
  const { reader } = turn;
  const content = store(turn.question.answer);
  Object.assign(reader, { replyId: "reply", text: content, isDone: true });
  const about = { parent: null, model: null, state: "complete" };
  const messages = [
    { id: "question", role: "user", content: turn.question.text, ...about },
    { id: "reply", role: "assistant", content, seams, ...about },
  ];
  checkChat(report, { id: "chat", turns: [turn], isDeleted: false }, { messages } as unknown as Chat);
  return report.violations.map(({ what }) => what.replace(/:.*/s, ""));
}

/** Returns a function that inserts at `from` a repetition of the `count` units before `at`. */
const repeating =
  (count: number, at = SEAM, from = at) =>
  (answer: string) =>
    answer.slice(0, from) + answer.slice(at - count, at) + answer.slice(from);

const allOfText = [
  "a stored reply is an exact prefix of the provider's text",
  "a complete reply has the provider's whole text",
  "a reader's text equals the provider's text",
];

test.each([
  ["no repeat", 0],
  ["1 repeated unit", 1],
  ["9 repeated units", 9],
])("allows %s after a seam", (_what, count) => {
  expect(violated(repeating(count))).toEqual([]);
});

test("allows repetitions after each of two seams", () => {
  const twice = (answer: string) =>
    answer.slice(0, 40) + answer.slice(34, 40) + answer.slice(40, 60) + answer.slice(51, 60) + answer.slice(60);
  expect(violated(twice, [40, 66])).toEqual([]);
});

test.each([
  ["10 repeated units after a seam", repeating(10), [SEAM]],
  ["9 repeated units without a seam", repeating(9), []],
  ["9 repeated units one unit behind a seam", repeating(9, SEAM, SEAM + 1), [SEAM]],
  ["9 units after a seam that do not precede it", repeating(9, SEAM - 1, SEAM), [SEAM]],
])("does not allow %s", (_what, store, seams) => {
  expect(violated(store, seams)).toEqual(allOfText);
});

test("does not allow missing text after a repetition", () => {
  const gap = (answer: string) => answer.slice(0, SEAM) + answer.slice(SEAM - 9, SEAM) + answer.slice(SEAM + 9);
  expect(violated(gap)).toContain("a stored reply is an exact prefix of the provider's text");
  const short = (answer: string) => answer.slice(0, SEAM) + answer.slice(SEAM - 9, -9);
  expect(violated(short)).toEqual(["a complete reply has the provider's whole text"]);
});
