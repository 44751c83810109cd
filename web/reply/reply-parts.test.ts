import { describe, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import {
  DONE,
  eachTestWithMovingClock,
  endless,
  event,
  message,
  openReplies,
  stream,
  token,
} from "../testing/replies-set-up.ts";
import { ReadPosition } from "./read-position.ts";
import { growingReasoning, reasoningKey } from "./reply-parts.ts";
import { readReply } from "./reply-stream.ts";

eachTestWithMovingClock();

const start = (rev = 0, at = 0, run = 1) => event({ reply: "r1", at, run, rev });
const reasoning = (seq: number, rev: number, durationMs?: number) =>
  event({ part: { seq, at: 0, kind: "reasoning", ...(durationMs !== undefined && { durationMs }), rev } });
const thought = (text: string, length: number, seq = 0) => event({ thought: text, seq, length });
const notice = { seq: 1, at: 0, kind: "notice", code: "effort", params: { asked: "max", used: "high" } };

async function follow(...answers: Response[]) {
  const all = await openReplies();
  all.answers.push(...answers);
  await all.replies.send("a", "Hello", "auto");
  const reply = () => all.chats().conversations.a?.messages.at(-1);
  return { ...all, reply, growing: () => growingReasoning.get(reasoningKey("r1", 0))?.get() };
}

describe("parts of a reply", () => {
  test("the parts of a reply stand beside its text; growing reasoning changes no message", async () => {
    const first = endless(start(), reasoning(0, 1), thought("Let ", 4));
    const { reply, growing, replies } = await follow(first.response);
    await vi.waitFor(() => expect(growing()).toBe("Let "));
    const before = reply();
    expect(before).toMatchObject({ loading: true, parts: [{ seq: 0, at: 0, kind: "reasoning", text: "" }], rev: 1 });
    const changes: unknown[] = [];
    const stop = growingReasoning.get(reasoningKey("r1", 0))?.subscribe(() => changes.push(reply() === before));
    first.end(thought("me see", 10), reasoning(0, 2, 1500), event({ part: { ...notice, rev: 3 } }), token("Hi", 2));
    await vi.waitFor(() => expect(reply()).toMatchObject({ content: "Hi", rev: 3 }));
    expect(changes).toEqual([true]);
    expect(growing()).toBeUndefined();
    expect(reply()?.parts).toEqual([
      { seq: 0, at: 0, kind: "reasoning", text: "Let me see", durationMs: 1500 },
      notice,
    ]);
    stop?.();
    replies.dispose();
  });

  test("the parts of a reply end once when their chat is deleted elsewhere", async () => {
    const { store, chats, growing } = await follow(endless(start(), reasoning(0, 1), thought("Let ", 4)).response);
    await vi.waitFor(() => expect(growing()).toBe("Let "));
    store.dispatch(chatEvents.dropChat({ chat: "a", isLeft: false }));
    expect(chats().conversations.a).toBeUndefined();
    expect(growing()).toBeUndefined();
  });

  test("the parts of a reply join over several connections without gaps or repetitions", async () => {
    const { calls, reply, settle, state } = await follow(
      stream(start(), reasoning(0, 1), thought("Let ", 4)),
      // Repeats two characters, and continues.
      stream(start(1), thought("t me ", 7)),
      // A gap counts as a lost connection.
      stream(start(1), thought("lost", 20)),
      // The end of the part arrives before its rest.
      stream(start(1), reasoning(0, 2, 900), thought("see", 10), token("Hi", 2), DONE),
    );
    const paths = () => calls.slice(1).map(({ path }) => path);
    state.isReadable = false;
    await settle();
    expect(paths()).toEqual([
      "/chat/a/reply?reply=r1&from=0&run=1&rev=1&seq=0&length=4",
      "/chat/a/reply?reply=r1&from=0&run=1&rev=1&seq=0&length=7",
      "/chat/a/reply?reply=r1&from=0&run=1&rev=1&seq=0&length=7",
    ]);
    expect(reply()).toMatchObject({ content: "Hi", rev: 2, parts: [{ text: "Let me see", durationMs: 900 }] });
  });

  test("the parts of a reply are discarded when another run sends them anew", async () => {
    const { reply, settle, state } = await follow(
      stream(start(), reasoning(0, 1), thought("Old thoughts", 12)),
      stream(start(0, 0, 2), event({ part: { ...notice, seq: 0, rev: 1 } }), token("Hi", 2), DONE),
    );
    state.isReadable = false;
    await settle();
    expect(reply()?.parts).toEqual([{ ...notice, seq: 0 }]);
    expect(reply()?.rev).toBe(1);
  });

  test("text that becomes reasoning is removed when another run begins in the same stream", async () => {
    const running = endless(start(), token("Let me see.", 11));
    const { reply, settle, state } = await follow(running.response);
    await vi.waitFor(() => expect(reply()?.content).toBe("Let me see."));
    running.push(start(0, 0, 2), reasoning(0, 1), thought("Let me see.", 11), reasoning(0, 2, 900));
    await vi.waitFor(() => expect(reply()?.content).toBe(""));
    expect(reply()?.parts).toMatchObject([{ text: "Let me see.", durationMs: 900 }]);
    running.end(token("Hi", 2), DONE);
    state.isReadable = false;
    await settle();
    expect(reply()).toMatchObject({ content: "Hi", rev: 2, parts: [{ text: "Let me see." }] });
  });

  test("the reasoning that had not ended stays when the reply ends", async () => {
    const { reply, settle, state, growing } = await follow(stream(start(), reasoning(0, 1), thought("Hm", 2), DONE));
    state.isReadable = false;
    await settle();
    expect(reply()?.parts).toEqual([{ seq: 0, at: 0, kind: "reasoning", text: "Hm" }]);
    expect(growing()).toBeUndefined();
  });

  test("the parts of a reply continue where the stored message ends", async () => {
    const parts = [{ seq: 0, at: 0, kind: "reasoning", text: "Let " }];
    const all = await openReplies([
      message("q", "user", "Hello"),
      { ...message("r1", "assistant", "", "writing"), parts, rev: 1 },
    ]);
    const joined = endless(start(1), thought("me", 6));
    all.answers.push(joined.response);
    all.replies.join("a");
    await vi.waitFor(() => expect(growingReasoning.get(reasoningKey("r1", 0))?.get()).toBe("Let me"));
    expect(all.calls[0]?.path).toBe("/chat/a/reply?reply=r1&from=0&rev=1&seq=0&length=4");
    all.replies.dispose();
    expect(growingReasoning.size).toBe(0);
  });

  test("unchanged parts keep the object of their message when the chat is read again", async () => {
    const parts = () => [{ seq: 0, at: 0, kind: "reasoning", text: "Let me see", durationMs: 5 }];
    const { state, store, chats } = await openReplies([
      { ...message("r1", "assistant", "Hi"), parts: parts(), rev: 2 },
    ]);
    const before = chats().conversations.a?.messages[0];
    state.stored = [{ ...message("r1", "assistant", "Hi"), parts: parts(), rev: 2 }];
    await store.dispatch(openChat("a"));
    expect(chats().conversations.a?.messages[0]).toBe(before);
  });
});

describe("polls", () => {
  const polled = (text: string, rev: number, content = ""): Message => ({
    ...message("r1", "assistant", content, "writing"),
    ...(rev > 0 && { parts: [{ seq: 0, at: 0, kind: "reasoning", text }], rev }),
  });
  const from = { reply: "r1", received: 0, run: 1 };

  test("a poll yields the new parts, and the rest of reasoning", () => {
    const position = new ReadPosition(from);
    expect(position.takeMessage(polled("Let ", 1))).toEqual([
      { type: "start", reply: "r1", at: 0 },
      { type: "part", part: { seq: 0, at: 0, kind: "reasoning", text: "Let " }, rev: 1 },
      { type: "thought", seq: 0, text: "Let ", length: 4 },
    ]);
    expect(position.takeMessage(polled("Let me", 1, "Hi"))).toEqual([
      { type: "thought", seq: 0, text: "me", length: 6 },
      { type: "token", text: "Hi", at: 2 },
    ]);
    expect(position.parts).toEqual({ rev: 1, seq: 0, length: 6 });
  });

  test("a poll after text has become reasoning yields everything anew", () => {
    const position = new ReadPosition({ ...from, received: 11 });
    expect(position.takeMessage(polled("Let me see.", 2, "Hi, a longer answer."))).toEqual([
      { type: "start", reply: "r1", at: 0 },
      { type: "part", part: { seq: 0, at: 0, kind: "reasoning", text: "Let me see." }, rev: 2 },
      { type: "thought", seq: 0, text: "Let me see.", length: 11 },
      { type: "token", text: "Hi, a longer answer.", at: 20 },
    ]);
  });

  test("a poll that is older than the stream yields nothing", () => {
    const position = new ReadPosition({ ...from, parts: { rev: 3, seq: 0, length: 9 } });
    expect(position.takeMessage(polled("Let ", 1))).toEqual([{ type: "start", reply: "r1", at: 0, rev: 3 }]);
  });
});

test("a part without a position, and thoughts of other servers, are neither text nor parts", async () => {
  const response = stream(event({ part: { kind: "tool" } }), event({ thought: "hm" }), event({ content: "Hi" }), DONE);
  const items = [];
  for await (const batch of readReply(response)) items.push(...batch);
  expect(items).toEqual([{ type: "token", text: "Hi" }, { type: "done" }]);
});
