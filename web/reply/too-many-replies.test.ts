import { describe, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { selectIsWritingIn } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import {
  DONE,
  eachTestWithMovingClock,
  endless,
  keyOf,
  message,
  openReplies,
  refusal,
  start,
  stream,
  token,
  unreachable,
} from "../testing/replies-set-up.ts";

eachTestWithMovingClock();

const full = (code = "too-many-replies") =>
  new Response(JSON.stringify({ detail: "No.", error: "No.", code }), {
    status: 429,
    headers: { "retry-after": "1" },
  });
const timesFull = (count: number) => Array.from({ length: count }, () => full());

async function openRateLimited(stored: Message[] = []) {
  const opened = await openReplies(stored);
  const isWaiting = () => opened.isWaiting("rate-limited");
  const sends = () => opened.calls.filter(({ path }) => path.startsWith("/chat/a/"));
  return { ...opened, isWaiting, sends };
}

describe("B2 messages refused because too many replies are running", () => {
  test("a refused message stays on the screen, is retried with pauses, and is the same each time", async () => {
    const { answers, sends, replies, words, chats, isWaiting, waitReason } = await openRateLimited();
    answers.push(...timesFull(99));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    expect(words()).toEqual(["Hello", ""]);
    expect(selectIsWritingIn("a")({ chats: chats() })).toBe(false);
    expect(chats()).toMatchObject({ loading: ["send:a"], error: null, conversations: { a: { isWriting: true } } });
    const before = sends().length;
    const beganAt = Date.now();
    await vi.advanceTimersByTimeAsync(20_000);
    // The clock moves a little more than that by itself.
    const seconds = (Date.now() - beganAt) / 1000;
    expect(sends().length - before).toBeGreaterThanOrEqual(9);
    expect(sends().length - before).toBeLessThanOrEqual(seconds + 1);
    answers.splice(0, answers.length, stream(start(), token("Hi", 2), DONE));
    expect(await sending).toMatchObject({ isTaken: true });
    expect(waitReason()).toBeNull();
    expect(new Set(sends().map(keyOf)).size).toBe(1);
    expect(new Set(sends().map(({ init }) => init.body)).size).toBe(1);
  });

  test("a message for which money is only reserved waits, and is sent once a reply has ended", async () => {
    const { answers, replies, isWaiting, waitReason } = await openReplies();
    answers.push(full("budget-reserved"), full("budget-reserved"));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting("at-capacity");
    answers.push(stream(start(), token("Hi", 2), DONE));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await sending).toMatchObject({ isTaken: true });
    expect(waitReason()).toBeNull();
  });

  test.each([
    ["account", { limit: 5 }, "Your budget of $5.00 for this month"],
    ["group", {}, "Your group’s budget for this month"],
    ["installation", {}, "The budget of this server for this month"],
  ])("a message that the budget of the %s refuses names that budget and its next month", async (scope, more, words) => {
    const { answers, replies, chats } = await openRateLimited();
    const problem = {
      detail: "No.",
      error: "No.",
      code: "budget-reached",
      scope,
      ...more,
      until: Date.UTC(2026, 11, 15),
    };
    answers.push(new Response(JSON.stringify(problem), { status: 402 }));
    await replies.send("a", "Hello", "auto");
    expect(chats().error?.text).toContain(`${words} does not pay for this reply.`);
    expect(chats().error?.text).toMatch(/begins on Dec 1[45], 2026/);
  });

  test("a refused message waits longer than for an unreachable server, whose time starts again then", async () => {
    const { answers, replies, isWaiting, waitReason } = await openRateLimited();
    answers.push(...timesFull(999));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(waitReason()).toBe("rate-limited");
    answers.splice(0, answers.length, unreachable(), unreachable(), ...timesFull(2));
    await vi.waitFor(() => expect(answers).toHaveLength(0));
    answers.push(stream(start(), DONE));
    expect(await sending).toMatchObject({ isTaken: true });
  });

  test("a refused message is sent at once when a reply of this page ends", async () => {
    const { answers, sends, store, replies, isWaiting } = await openRateLimited();
    const other = endless(start(0, "r2"), token("…", 1));
    await store.dispatch(openChat("b"));
    answers.push(other.response);
    await replies.send("b", "Long", "auto");
    answers.push(...timesFull(1));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    vi.useFakeTimers();
    answers.push(stream(start(), DONE));
    expect(sends()).toHaveLength(1);
    other.end(DONE);
    await vi.advanceTimersByTimeAsync(200);
    expect(sends()).toHaveLength(2);
    expect(await sending).toMatchObject({ isTaken: true });
  });

  test("a refused message is sent at once when another tab or device reports the end of its reply", async () => {
    const { answers, sends, store, replies, isWaiting } = await openRateLimited();
    store.dispatch(chatEvents.loadHistorySuccess({ chats: [], hasMore: false, isNextPage: false }));
    const elsewhere = { id: "b", title: "B", updatedAt: 2, leaf: "x", isUnread: false };
    store.dispatch(chatEvents.changeChat({ chat: { ...elsewhere, isWriting: true, replyId: "x" } }));
    answers.push(...timesFull(1));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    vi.useFakeTimers();
    answers.push(stream(start(), DONE));
    store.dispatch(chatEvents.changeChat({ chat: { ...elsewhere, isWriting: false, replyId: null } }));
    await vi.advanceTimersByTimeAsync(100);
    expect(sends()).toHaveLength(2);
    expect(await sending).toMatchObject({ isTaken: true });
  });

  test("a refused message can be cancelled, and returns to its box without an error", async () => {
    const { answers, sends, replies, chats, words, isWaiting } = await openRateLimited();
    answers.push(...timesFull(9));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    replies.cancel("a");
    expect(await sending).toMatchObject({ isTaken: false, chat: "a" });
    expect(words()).toEqual([]);
    expect(chats()).toMatchObject({
      loading: [],
      error: null,
      conversations: { a: { isWriting: false, waitReason: null } },
    });
    const { length } = sends();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sends()).toHaveLength(length);
  });

  test("a refused message is cancelled by Stop, even if Stop came before it had to wait", async () => {
    const { answers, replies, isWaiting, words } = await openRateLimited();
    answers.push(...timesFull(9));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    await replies.stop("a");
    expect(await sending).toMatchObject({ isTaken: false });
    const held = Promise.withResolvers<Response>();
    answers.splice(0, answers.length, () => held.promise);
    const again = replies.send("a", "Hello", "auto");
    await replies.stop("a");
    held.resolve(full());
    expect(await again).toMatchObject({ isTaken: false });
    expect(words()).toEqual([]);
  });

  test.each(["retry", "continue"] as const)("a refused request to %s waits too", async (mode) => {
    const stored = [message("q", "user", "1"), message("r", "assistant", "2", "interrupted")];
    const { answers, sends, replies, isWaiting, settle } = await openRateLimited(stored);
    answers.push(...timesFull(2));
    const asking = replies.answer("a", mode, "auto");
    await isWaiting();
    answers.push(stream(start(1, mode === "continue" ? "r" : "r2"), DONE));
    await asking;
    await settle();
    expect(sends()).toHaveLength(3);
    expect(new Set(sends().map(keyOf)).size).toBe(1);
  });

  test("a refused message of a deleted chat stops waiting", async () => {
    const { answers, replies, chats, isWaiting } = await openRateLimited();
    answers.push(full(), refusal(404, "not-found"));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    expect(await sending).toMatchObject({ isTaken: false, isAnswered: true, chat: null });
    expect(chats().conversations.a).toBeUndefined();
  });
});

test("B5 a message that was sent too often returns to its box, with the time to wait as text", async () => {
  const { answers, replies, chats, words } = await openRateLimited();
  const body = JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" });
  answers.push(new Response(body, { status: 429, headers: { "retry-after": "42" } }));
  expect(await replies.send("a", "Hello", "auto")).toMatchObject({ isTaken: false, isAnswered: true, chat: "a" });
  expect(words()).toEqual([]);
  expect(chats().error?.text).toBe("Too many requests. Please wait 42 seconds.");
});
