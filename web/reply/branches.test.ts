import { beforeEach, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import {
  bodyOf,
  DONE,
  keyOf,
  message,
  openReplies,
  refusal,
  start,
  stream,
  token,
  unreachable,
} from "../testing/replies-set-up.ts";

const stored: Message[] = [
  message("q1", "user", "One"),
  message("a1", "assistant", "First"),
  message("q2", "user", "Two"),
  message("a2", "assistant", "Second"),
];

/** Sends no response until the request is aborted. */
const silence = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

let world: Awaited<ReturnType<typeof openReplies>>;
beforeEach(async () => {
  world = await openReplies(stored);
});

const shown = () => world.chats().conversations.a?.messages ?? [];

test("a branch is shown at once after the kept messages, and its request names its parent", async () => {
  const { replies, answers, calls, words, settle, state } = world;
  answers.push(stream(start(), token("Other", 5), DONE));
  const sent = replies.sendAsBranch("a", shown().slice(0, 2), { text: "Two, better", model: "auto" });
  expect(words()).toEqual(["One", "First", "Two, better", ""]);
  state.stored = [...stored.slice(0, 2), message("q3", "user", "Two, better"), message("r1", "assistant", "Other")];
  expect(await sent).toMatchObject({ isTaken: true, chat: "a" });
  expect(bodyOf(calls[0])).toEqual({ message: "Two, better", parent: "a1", branch: true });
  await settle();
  expect(words()).toEqual(["One", "First", "Two, better", "Other"]);
});

test("a branch from the start has no message before it, and does not rename the chat", async () => {
  const { replies, answers, calls, settle, chats } = world;
  answers.push(stream(start(), token("Other", 5), DONE));
  await replies.sendAsBranch("a", [], { text: "Begin anew", model: "auto" });
  expect(bodyOf(calls[0])).toEqual({ message: "Begin anew", parent: null, branch: true });
  await settle();
  expect(chats().conversations.a?.title).toBe("T");
});

test("a branch that is refused or cancelled restores the former messages", async () => {
  const { replies, answers, words, chats } = world;
  const before = shown();
  answers.push(refusal(409, "reply-running"));
  const refused = await replies.sendAsBranch("a", before.slice(0, 2), { text: "Two, better", model: "auto" });
  expect(refused).toMatchObject({ isTaken: false, isAnswered: true, chat: "a" });
  expect(words()).toEqual(["One", "First", "Two", "Second"]);
  expect(chats().error).toMatchObject({ chat: "a", text: expect.stringMatching("still writing") });
  answers.push(unreachable(), silence);
  const waiting = replies.sendAsBranch("a", before.slice(0, 2), { text: "Two, better", model: "auto" });
  await vi.waitFor(() => expect(chats().conversations.a?.waitReason).toBe("offline"));
  replies.cancel("a");
  expect(await waiting).toMatchObject({ isTaken: false });
  expect(words()).toEqual(["One", "First", "Two", "Second"]);
  expect(chats().error).toBeNull();
});

test("the same text at another position is another message", async () => {
  const { replies, answers, calls, state } = world;
  state.isReadable = false;
  const ask = async (baseLength: number) => {
    answers.push(unreachable(), silence);
    const sent = replies.sendAsBranch("a", shown().slice(0, baseLength), { text: "Again", model: "auto" });
    await vi.waitFor(() => expect(world.chats().conversations.a?.waitReason).toBe("offline"));
    replies.cancel("a");
    await sent;
    return keyOf(calls.at(-1));
  };
  const first = await ask(2);
  expect(await ask(2)).toBe(first);
  expect(await ask(0)).not.toBe(first);
});

test("a message whose chat has changed meanwhile still has its own parent", async () => {
  const { replies, answers, chats, state } = world;
  const current = shown();
  state.stored = [...stored, message("q3", "user", "From elsewhere"), message("a3", "assistant", "Third")];
  answers.push(refusal(409, "conversation-moved"));
  await replies.send("a", "From here", "auto");
  await vi.waitFor(() => expect(shown()).toHaveLength(6));
  expect(chats().error?.branch?.before).toEqual(current);
  answers.push(stream(start(), DONE));
  await replies.sendAsBranch("a", current, { text: "From here", model: "auto" });
  expect(bodyOf(world.calls.at(-1))).toMatchObject({ parent: "a2", branch: true });
  expect(chats().error).toBeNull();
});

test("another reply in the middle removes all messages after its question", async () => {
  const { replies, answers, calls, words, settle, state } = world;
  answers.push(stream(start(), token("Other", 5), DONE));
  const asked = replies.answer("a", "regenerate", "GPT:gpt-5", "a1");
  expect(words()).toEqual(["One", ""]);
  state.stored = [stored[0] as Message, message("r1", "assistant", "Other")];
  await asked;
  expect(bodyOf(calls[0])).toEqual({ mode: "regenerate", model: "GPT:gpt-5", parent: "a2", of: "a1" });
  await settle();
  expect(words()).toEqual(["One", "Other"]);
});

test("a request that depends on a pending branch choice waits for it", async () => {
  const { replies, answers, calls } = world;
  const { promise, resolve } = Promise.withResolvers<void>();
  replies.delayNextSend("a", promise);
  answers.push(stream(start(), DONE));
  const sent = replies.send("a", "On from here", "auto");
  await Promise.resolve();
  expect(calls).toEqual([]);
  resolve();
  await sent;
  expect(calls).toHaveLength(1);
});

test("a request that waits for a pending branch choice can be stopped: it is never sent", async () => {
  const { replies, answers, calls, words, chats } = world;
  const { promise, resolve } = Promise.withResolvers<void>();
  replies.delayNextSend("a", promise);
  answers.push(stream(start(), DONE));
  const sent = replies.send("a", "On from here", "auto");
  await replies.stop("a");
  expect(await sent).toMatchObject({ isTaken: false, chat: "a" });
  expect(words()).toEqual(["One", "First", "Two", "Second"]);
  expect(chats()).toMatchObject({ error: null, loading: [] });
  resolve();
  await promise;
  expect(calls).toEqual([]);
});
