import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import { DONE, endless, event, message, openReplies, start, stream, token } from "../testing/replies-set-up.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ROWS = "| one | two |\n".repeat(4000);

/** Sends a message, whose reply arrives with its end in one chunk, and records the length of each painted text. */
async function receive(...end: string[]) {
  const made = await openReplies();
  made.answers.push(stream(start(), token(ROWS, ROWS.length), ...end));
  made.state.stored = [message("q", "user", "Hello"), message("r1", "assistant", ROWS)];
  const shown = () => made.words()?.at(-1) ?? "";
  const steps: number[] = [];
  let before = 0;
  made.store.subscribe(() => {
    const { length } = shown();
    if (length > before) steps.push(length - before);
    before = length;
  });
  await made.replies.send("a", "Hello", "auto");
  await vi.advanceTimersByTimeAsync(20);
  const isWriting = () => made.chats().conversations.a?.isWriting;
  return { ...made, shown, steps, isWriting };
}

test("a long rest that arrives with the end of the reply is painted in several tasks, and then the reply ends", async () => {
  const { shown, steps, isWriting, state } = await receive(DONE);
  const { reads } = state;
  expect(shown().length).toBeLessThanOrEqual(4000);
  expect(isWriting()).toBe(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(Math.max(...steps)).toBeLessThanOrEqual(Math.ceil(ROWS.length / 25));
  expect(shown()).toBe(ROWS);
  expect(isWriting()).toBe(false);
  expect(state.reads).toBe(reads + 1);
});

test("a long rest of a failed reply is painted in several tasks before its error", async () => {
  const { shown, steps, isWriting, chats } = await receive(event({ error: "No.", code: "internal" }));
  expect(isWriting()).toBe(true);
  expect(chats().error).toBeNull();
  await vi.advanceTimersByTimeAsync(2000);
  expect(Math.max(...steps)).toBeLessThanOrEqual(Math.ceil(ROWS.length / 25));
  expect(shown()).toBe(ROWS);
  expect(chats().error).not.toBeNull();
});

test("Stop paints the rest of an ended reply at once, which is complete", async () => {
  const { replies, calls, shown, isWriting, chats, state } = await receive(DONE);
  state.isReadable = false;
  await replies.stop("a");
  expect(shown()).toBe(ROWS);
  await vi.advanceTimersByTimeAsync(0);
  expect(isWriting()).toBe(false);
  expect(chats().conversations.a?.messages.at(-1)?.state).toBe("complete");
  expect(calls.map(({ path }) => path)).not.toContain("/chat/a/stop");
});

test("a page that is hidden or left paints a long rest at once", async () => {
  const left = await receive(DONE);
  left.replies.dispose();
  expect(left.shown()).toBe(ROWS);
  const { shown, isWriting } = await receive(DONE);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(shown()).toBe(ROWS);
  await vi.advanceTimersByTimeAsync(0);
  expect(isWriting()).toBe(false);
});

test("a reply that was stopped before its end arrived is painted at once", async () => {
  const { answers, store, replies, words, chats } = await openReplies();
  const reply = endless(start(), token("Hi", 2));
  answers.push(reply.response);
  await replies.send("a", "Hello", "auto");
  await vi.advanceTimersByTimeAsync(20);
  await replies.stop("a");
  const ended: (string | undefined)[] = [];
  store.subscribe(() => chats().conversations.a?.isWriting || ended.push(words()?.at(-1)));
  reply.end(token(ROWS, 2 + ROWS.length), DONE);
  // No timer runs.
  await vi.advanceTimersByTimeAsync(0);
  expect(ended[0]).toBe(`Hi${ROWS}`);
});
