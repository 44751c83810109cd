import { expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import { deleteChats } from "../chats/organise/change-chats.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import {
  DONE,
  eachTestWithMovingClock,
  endless,
  message,
  openReplies,
  refusal,
  start,
  stream,
  token,
  unreachable,
} from "../testing/replies-set-up.ts";

eachTestWithMovingClock();

test("Stop ends the reply of a message that was sent while the chat was read after the previous one", async () => {
  const { answers, calls, replies, settle, holdRead } = await openReplies();
  const goOn = holdRead();
  answers.push(stream(start(), token("Hi", 2), DONE));
  await replies.send("a", "One", "auto");
  await settle();
  const second = endless(start(0, "r2"), token("Wo", 2));
  answers.push(second.response);
  await replies.send("a", "Two", "auto");
  goOn();
  await vi.advanceTimersByTimeAsync(100);
  await replies.stop("a");
  expect(calls.map(({ path }) => path)).toContain("/chat/a/stop");
  second.end(DONE);
  await settle();
});

test("a reply that was given up is read again when the server is reachable, whichever request noticed it", async () => {
  const { answers, state, replies, chats, words } = await openReplies();
  answers.push(stream(start(), token("One ", 4)), ...Array.from({ length: 99 }, () => unreachable()));
  state.isReadable = false;
  await replies.send("a", "Hello", "auto");
  await vi.advanceTimersByTimeAsync(170_000);
  expect(chats().conversations.a?.isWriting).toBe(false);
  state.isReadable = true;
  state.stored = [message("q", "user", "Hello"), message("r1", "assistant", "One two")];
  replies.readLost();
  await vi.waitFor(() => expect(words()).toEqual(["Hello", "One two"]));
});

test("a chat that was read before a turn does not remove that turn from the screen", async () => {
  const before = [message("q0", "user", "0"), message("r0", "assistant", "1")];
  const { answers, state, store, replies, words, settle, holdRead } = await openReplies(before);
  const goOn = holdRead();
  const reading = store.dispatch(openChat("a"));
  answers.push(stream(start(), token("Hi", 2), DONE));
  await replies.send("a", "Hello", "auto");
  state.stored = [...before, message("q", "user", "Hello"), message("r1", "assistant", "Hi")];
  await settle();
  const seen: unknown[] = [];
  const stop = store.subscribe(() => seen.push(words()));
  goOn();
  await reading;
  stop();
  expect(seen).not.toContainEqual(["0", "1"]);
  expect(words()).toEqual(["0", "1", "Hello", "Hi"]);
});

test("a chat whose reply ended during a failed deletion can continue", async () => {
  const { answers, state, store, replies, chats, words, holdRead } = await openReplies();
  const reply = endless(start(), token("Hi", 2));
  answers.push(reply.response);
  await replies.send("a", "Hello", "auto");
  const goOn = holdRead();
  state.isDeletable = false;
  const deleting = store.dispatch(deleteChats(["a"]));
  reply.end(DONE);
  await vi.waitFor(() => expect(chats().conversations.a?.isWriting).toBe(false));
  expect(chats().error).toBeNull();
  state.stored = [message("q", "user", "Hello"), message("r1", "assistant", "Hi you")];
  goOn();
  await deleting;
  expect(chats()).toMatchObject({ loading: [], error: { text: "Failed to delete chat" } });
  expect(words()).toEqual(["Hello", "Hi you"]);
});

test("refused text is returned while newer messages are still being read", async () => {
  const { answers, state, replies, words, holdRead } = await openReplies();
  answers.push(refusal(409, "conversation-moved"));
  const goOn = holdRead();
  state.stored = [message("x", "user", "From elsewhere")];
  expect(await replies.send("a", "Hello", "auto")).toMatchObject({ isTaken: false, isAnswered: true });
  expect(words()).toEqual([]);
  goOn();
  await vi.waitFor(() => expect(words()).toEqual(["From elsewhere"]));
});

test("a cancelled message stays on the screen until it is known whether it was accepted", async () => {
  const { answers, replies, chats, holdRead } = await openReplies();
  answers.push(...Array.from({ length: 9 }, () => unreachable()));
  const sending = replies.send("a", "Hello", "auto");
  await vi.waitFor(() => expect(chats().conversations.a?.waitReason).toBe("offline"));
  const goOn = holdRead();
  replies.cancel("a");
  await vi.advanceTimersByTimeAsync(100);
  expect(chats().conversations.a).toMatchObject({ isWriting: true, waitReason: "offline" });
  goOn();
  await sending;
  expect(chats().conversations.a).toMatchObject({ isWriting: false, waitReason: null });
});

test("a reply that was stopped here is not treated as complete", async () => {
  const { answers, replies, chats, settle, holdRead } = await openReplies();
  const reply = endless(start(), token("Hi", 2));
  answers.push(reply.response);
  await replies.send("a", "Hello", "auto");
  const goOn = holdRead();
  await replies.stop("a");
  reply.end(DONE);
  await settle();
  expect(chats().conversations.a?.messages.at(-1)?.state).toBe("stopped");
  goOn();
});
