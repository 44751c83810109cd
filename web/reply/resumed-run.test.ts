import { expect, test, vi } from "vitest";
import {
  DONE,
  eachTestWithMovingClock,
  endless,
  event,
  openReplies,
  stream,
  token,
} from "../testing/replies-set-up.ts";

eachTestWithMovingClock();

const start = (at: number, run: number) => event({ reply: "r1", at, run });

test("a reply is resumed in the run in which it was received", async () => {
  const { answers, calls, replies, settle } = await openReplies();
  answers.push(stream(start(0, 1), token("One ", 4)), stream(start(4, 2), token("two ", 8)), stream(start(8, 2), DONE));
  await replies.send("a", "Hello", "auto");
  await settle();
  expect(calls.slice(1).map(({ path }) => path)).toEqual([
    "/chat/a/reply?reply=r1&from=4&run=1",
    "/chat/a/reply?reply=r1&from=8&run=2",
  ]);
});

test("text that a crash has lost is removed from the screen before new text arrives", async () => {
  const { answers, replies, words, settle } = await openReplies();
  const first = endless(start(0, 1), token("One two", 7));
  const next = endless(start(4, 2));
  answers.push(first.response, next.response);
  await replies.send("a", "Hello", "auto");
  await vi.waitFor(() => expect(words()).toEqual(["Hello", "One two"]));
  first.end();
  await vi.waitFor(() => expect(words()).toEqual(["Hello", "One "]));
  next.end(DONE);
  await settle();
});
