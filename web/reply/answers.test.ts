import { describe, expect, test, vi } from "vitest";
import { refreshChat } from "../chats/state/chats-thunks.ts";
import {
  bodyOf,
  DONE,
  eachTestWithMovingClock,
  event,
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

const question = message("q", "user", "Hello");
const cut = message("r1", "assistant", "One two", "failed");

const openCut = () => openReplies([question, cut]);

describe("the command Continue", () => {
  test("Continue adds the rest to the reply and keeps its seam", async () => {
    const { answers, calls, state, replies, words, last, settle } = await openCut();
    answers.push(stream(start(7), event({ seam: 7 }), token(" three", 13), DONE));
    state.isReadable = false;
    const asking = replies.answer("a", "continue", "GPT:gpt-5");
    expect(last()).toMatchObject({ content: "One two", state: "writing", loading: false });
    await asking;
    await settle();
    expect(calls[0]).toMatchObject({ path: "/chat/a/reply", init: { method: "POST" } });
    expect(bodyOf(calls[0])).toEqual({ mode: "continue", model: "GPT:gpt-5", parent: "r1" });
    expect(words()).toEqual(["Hello", "One two three"]);
    expect(last()).toMatchObject({ key: "r1", seams: [7], state: "complete" });
  });

  test("a refused Continue restores the reply, reports the reason, and reads the chat again", async () => {
    const { answers, state, replies, words, chats } = await openCut();
    answers.push(refusal(409, "conversation-moved"));
    const { reads } = state;
    await replies.answer("a", "continue", "auto");
    expect(words()).toEqual(["Hello", "One two"]);
    expect(chats().conversations.a?.messages[1]?.state).toBe("failed");
    expect(chats()).toMatchObject({ loading: [], error: { chat: "a" } });
    expect(chats().error?.text).toMatch(/^This chat has newer messages/);
    expect(state.reads).toBe(reads + 1);
  });
});

describe("the command Retry", () => {
  test("Retry replaces the reply that was cut", async () => {
    const { answers, calls, state, replies, words, last, settle } = await openCut();
    answers.push(stream(start(0, "r2"), token("Whole", 5), DONE));
    state.stored = [question, message("r2", "assistant", "Whole")];
    const asking = replies.answer("a", "retry", "auto");
    expect(words()).toEqual(["Hello", ""]);
    expect(last()).toMatchObject({ loading: true, state: "writing" });
    await asking;
    await settle();
    expect(bodyOf(calls[0])).toEqual({ mode: "retry", parent: "r1" });
    await vi.waitFor(() => expect(words()).toEqual(["Hello", "Whole"]));
  });

  test("Retry answers a question without an answer, and does not rename the chat", async () => {
    const { answers, calls, state, replies, words, chats, settle } = await openReplies([question]);
    answers.push(stream(start(0, "r2"), token("Here", 4), DONE));
    state.isReadable = false;
    await replies.answer("a", "retry", "auto");
    await settle();
    expect(bodyOf(calls[0])).toEqual({ mode: "retry", parent: "q" });
    expect(words()).toEqual(["Hello", "Here"]);
    expect(chats().conversations.a?.title).toBe("T");
  });

  test("two requests to retry are one request, which waits for the server under one key", async () => {
    const { answers, calls, replies, chats, settle } = await openCut();
    answers.push(unreachable(), refusal(503, "draining"), stream(start(0, "r2"), token("Whole", 5), DONE));
    const asking = [replies.answer("a", "retry", "auto"), replies.answer("a", "retry", "auto")];
    await vi.waitFor(() => expect(chats().conversations.a?.waitReason).toBe("offline"));
    await Promise.all(asking);
    await settle();
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map(keyOf)).size).toBe(1);
  });

  test("a cancelled Retry restores the reply, and keeps its key when requested again", async () => {
    const { answers, calls, state, replies, words, chats } = await openCut();
    answers.push(unreachable(), unreachable());
    state.isReadable = false;
    const asking = replies.answer("a", "retry", "auto");
    await vi.waitFor(() => expect(chats().conversations.a?.waitReason).toBe("offline"));
    replies.cancel("a");
    await asking;
    expect(words()).toEqual(["Hello", "One two"]);
    expect(chats()).toMatchObject({ loading: [], error: null });
    answers.splice(0, answers.length, stream(start(0, "r2"), DONE));
    await replies.answer("a", "retry", "auto");
    expect(new Set(calls.map(keyOf)).size).toBe(1);
  });

  test("Retry is not requested in a chat with a running reply", async () => {
    const { answers, calls, replies } = await openCut();
    answers.push(stream(start(0, "r2"), token("Whole", 5)));
    await replies.answer("a", "retry", "auto");
    await replies.answer("a", "continue", "auto");
    expect(calls.filter(({ init }) => init.method === "POST")).toHaveLength(1);
    replies.dispose();
  });

  test("Retry can be stopped before it has begun", async () => {
    const { answers, calls, replies, settle } = await openCut();
    answers.push(stream(start(0, "r2"), token("Whole", 5), DONE));
    const asking = replies.answer("a", "retry", "auto");
    await replies.stop("a");
    await asking;
    await settle();
    expect(calls.map(({ path }) => path)).toEqual(["/chat/a/reply", "/chat/a/stop"]);
  });
});

describe("replies that a restart of the server cut off", () => {
  test("a reply cut off by a restart is joined like a running one if it continues", async () => {
    const { answers, calls, state, replies, words, last, settle } = await openReplies([
      question,
      { ...message("r1", "assistant", "One two", "interrupted"), resumes: true },
    ]);
    answers.push(stream(start(7), event({ seam: 7 }), token(" three", 13), DONE));
    state.isReadable = false;
    replies.join("a");
    expect(last()?.state).toBe("writing");
    await settle();
    expect(calls.map(({ path }) => path)).toEqual(["/chat/a/reply?reply=r1&from=7"]);
    expect(words()).toEqual(["Hello", "One two three"]);
    expect(last()?.seams).toEqual([7]);
  });

  test("a reply cut off by a restart is joined once if the server cannot continue it", async () => {
    const stored = [question, { ...message("r1", "assistant", "One two", "interrupted"), resumes: true }];
    const { answers, calls, store, replies, last, settle } = await openReplies(stored);
    answers.push(stream(start(7), DONE));
    replies.join("a");
    await settle();
    await store.dispatch(refreshChat("a"));
    expect(last()).toMatchObject({ state: "interrupted", resumes: true });
    replies.join("a");
    expect(calls).toHaveLength(1);
  });

  test("a reply cut off by a restart is not joined if it does not continue automatically", async () => {
    const { calls, replies } = await openReplies([question, message("r1", "assistant", "One", "interrupted")]);
    replies.join("a");
    expect(calls).toEqual([]);
  });
});

describe("joined replies that failed without another word", () => {
  const writing = message("r1", "assistant", "One two", "writing");
  const failure = event({ error: "x", code: "assistant-broken-off" });
  const continued = () => stream(start(7), event({ seam: 7 }), token(" three", 13), DONE);

  test("a failed joined reply is joined again when another device continues it", async () => {
    const { answers, calls, state, store, replies, words, last, settle } = await openReplies([question, writing]);
    for (let run = 0; run < 2; run += 1) {
      answers.push(stream(start(7), failure, DONE));
      state.stored = [question, cut];
      replies.join("a");
      await settle();
      await vi.waitFor(() => expect(last()?.state).toBe("failed"));
      state.stored = [question, writing];
      await store.dispatch(refreshChat("a"));
    }
    answers.push(continued());
    state.isReadable = false;
    replies.join("a");
    await settle();
    expect(calls).toHaveLength(3);
    expect(words()).toEqual(["Hello", "One two three"]);
  });

  test("a failed reply is joined again if another device continues it before the chat is read", async () => {
    const { answers, state, store, replies, chats, words, last } = await openReplies([question, writing]);
    answers.push(stream(start(7), failure, DONE), continued());
    // The open chat joins in a layout effect, which may run in the same task as the read.
    const end = store.subscribe(() => {
      if (last()?.state !== "writing" || chats().conversations.a?.isWriting) return;
      state.isReadable = false;
      queueMicrotask(() => replies.join("a"));
    });
    replies.join("a");
    await vi.waitFor(() => expect(words()).toEqual(["Hello", "One two three"]));
    end();
  });
});
