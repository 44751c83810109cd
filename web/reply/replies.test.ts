import { describe, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import {
  bodyOf,
  broken,
  DONE,
  eachTestWithMovingClock,
  event,
  keyOf,
  message,
  openReplies,
  refusal,
  setUpReplies,
  start,
  stream,
  token,
  UNREACHABLE,
  unreachable,
} from "../testing/replies-set-up.ts";

eachTestWithMovingClock();

describe("sends", () => {
  test("a send is streamed into its chat, and then replaced by the stored chat", async () => {
    const { answers, calls, state, replies, words, settle, chats } = await openReplies();
    answers.push(stream(start(), token("Hi ", 3), token("you", 6), DONE));
    state.stored = [message("q", "user", "Hello"), message("r1", "assistant", "Hi you!")];
    expect(await replies.send("a", "Hello", "auto")).toMatchObject({ isTaken: true });
    expect(words()).toEqual(["Hello", ""]);
    await settle();
    await vi.waitFor(() => expect(words()).toEqual(["Hello", "Hi you!"]));
    expect(calls[0]?.path).toBe("/chat/a/send?stream=1");
    expect(calls[0]?.init.headers?.accept).toContain("text/event-stream");
    expect(keyOf(calls[0])).toMatch(/^[0-9a-f]{32}$/);
    expect(calls[0]?.init.headers?.["x-time-zone"]).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(bodyOf(calls[0])).toEqual({ message: "Hello", parent: null });
    expect(chats().error).toBeNull();
  });

  test("a send includes a chosen model and the last message seen", async () => {
    const { answers, calls, replies } = await openReplies([message("q", "user", "1"), message("r0", "assistant", "2")]);
    answers.push(stream(start(), DONE));
    await replies.send("a", "Hello", "GPT:gpt-5");
    expect(bodyOf(calls[0])).toEqual({ message: "Hello", model: "GPT:gpt-5", parent: "r0" });
  });

  test("a send belongs to the chat that it was written for, whichever chat is on the screen", async () => {
    const { answers, calls, store, replies } = await openReplies();
    await store.dispatch(openChat("b"));
    answers.push(stream(start(), DONE));
    expect(await replies.send("a", "Hello", "auto")).toMatchObject({ isTaken: true });
    expect(calls[0]?.path).toBe("/chat/a/send?stream=1");
  });

  test("a send to a chat whose messages are not loaded is not requested", async () => {
    const { calls, replies } = setUpReplies();
    expect(await replies.send("a", "Hello", "auto")).toMatchObject({ isTaken: false, chat: "a" });
    expect(calls).toEqual([]);
  });

  test("a send without a chat creates one first", async () => {
    const { answers, calls, state, replies, chats, words } = setUpReplies();
    state.isReadable = false;
    answers.push(stream(start(), token("Hi", 2), DONE));
    expect(await replies.send(null, "Hello  you", "auto")).toMatchObject({ isTaken: true });
    expect(calls.map(({ path }) => path)).toEqual(["/chat", "/chat/new/send?stream=1"]);
    await vi.waitFor(() =>
      expect(chats()).toMatchObject({ currentChat: "new", chats: [{ id: "new", title: "Hello you" }] }),
    );
    expect(words("new")?.[0]).toBe("Hello  you");
  });

  test("a refused send is removed from the screen, with an error text by its code", async () => {
    const { answers, replies, chats, words } = await openReplies();
    answers.push(refusal(500, "internal", "Other words"));
    expect(await replies.send("a", "Hello", "auto")).toMatchObject({ isTaken: false });
    expect(words()).toEqual([]);
    expect(chats()).toMatchObject({ loading: [], error: { chat: "a" } });
    expect(chats().error?.text).toBe("Something went wrong on our side. Please try again.");
  });

  test("a send that is refused because of newer messages shows them", async () => {
    const { answers, state, replies, words } = await openReplies();
    answers.push(refusal(409, "conversation-moved"));
    state.stored = [message("x", "user", "From elsewhere")];
    expect(await replies.send("a", "Hello", "auto")).toMatchObject({ isTaken: false });
    await vi.waitFor(() => expect(words()).toEqual(["From elsewhere"]));
  });

  test("a send to a chat that was deleted elsewhere reports so, and its text is for a new chat", async () => {
    const { answers, store, replies, chats } = setUpReplies();
    const item = { id: "a", title: "T", updatedAt: 1 };
    store.dispatch(chatEvents.loadHistorySuccess({ chats: [item], hasMore: false, isNextPage: false }));
    await store.dispatch(openChat("a"));
    answers.push(refusal(404, "not-found"));
    expect(await replies.send("a", "Hello", "auto")).toEqual({ isTaken: false, isAnswered: true, chat: null });
    expect(chats()).toMatchObject({ chats: [], conversations: {}, currentChat: null, loading: [] });
    expect(chats().destination).toEqual({ chat: null, replace: true });
    expect(chats().error?.text).toBe("This chat no longer exists. Your draft was moved to a new chat.");
  });

  test("a retried send that may have been accepted before has the same key", async () => {
    const { answers, calls, replies } = await openReplies();
    answers.push(stream(start(), DONE));
    await replies.send("a", "Hello", "auto", { key: "the-key-of-before" });
    expect(calls.map(keyOf)).toEqual(["the-key-of-before"]);
  });

  test("a send of another text has another key", async () => {
    const { answers, calls, replies } = await openReplies();
    answers.push(refusal(400, "invalid-input"), refusal(400, "invalid-input"));
    await replies.send("a", "Hello", "auto");
    await replies.send("a", "Hello", "auto");
    expect(new Set(calls.map(keyOf)).size).toBe(2);
  });

  test("a send whose re-read fails reports so and keeps the text", async () => {
    const { answers, state, replies, chats, words } = await openReplies();
    answers.push(stream(start(), token("Hi", 2), DONE));
    state.isReadable = false;
    await replies.send("a", "Hello", "auto");
    await vi.waitFor(() => expect(chats().error).toEqual({ text: "Failed to refresh chat", chat: "a" }));
    expect(words()).toEqual(["Hello", "Hi"]);
  });

  test("a send to a server that sends no positions ends with its stream", async () => {
    const { answers, state, replies, words, settle } = await openReplies();
    answers.push(stream("data: Hi\n\n", 'data: {"content":" you"}\n\n'));
    state.isReadable = false;
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(words()).toEqual(["Hello", "Hi you"]);
  });
});

describe("failures in the stream", () => {
  test("a failure in the stream keeps the text and shows the error", async () => {
    const { answers, state, replies, chats, words, settle } = await openReplies();
    answers.push(stream(start(), token("Hi", 2), event({ error: "x", code: "assistant-broken-off" }), DONE));
    state.isReadable = false;
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(words()).toEqual(["Hello", "Hi"]);
    expect(chats().error?.text).toBe("The answer broke off. Please try again.");
  });

  test("a failure without a text is shown as a stream error", async () => {
    const { answers, replies, chats, settle } = await openReplies();
    answers.push(new Response("{}", { headers: { "content-type": "application/json" } }));
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(chats().error?.text).toBe("Stream error");
  });
});

describe("lost connections", () => {
  test("a lost stream is resumed where it broke, without gap or repetition", async () => {
    const { answers, calls, state, replies, words, settle } = await openReplies();
    answers.push(
      stream(start(), token("One ", 4)),
      unreachable(),
      refusal(503, "unavailable"),
      stream(start(0), token("One ", 4), token("two ", 8)),
      stream(start(8), token("three", 13), DONE),
    );
    state.isReadable = false;
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(words()).toEqual(["Hello", "One two three"]);
    expect(calls.slice(1).map(({ path }) => path)).toEqual([
      "/chat/a/reply?reply=r1&from=4",
      "/chat/a/reply?reply=r1&from=4",
      "/chat/a/reply?reply=r1&from=4",
      "/chat/a/reply?reply=r1&from=8",
    ]);
  });

  test("a stream is resumed where a piece is missing", async () => {
    const { answers, calls, replies, settle } = await openReplies();
    answers.push(stream(start(), token("One ", 4), token("three", 13)), stream(start(4), DONE));
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(calls[1]?.path).toBe("/chat/a/reply?reply=r1&from=4");
  });

  test("a long outage is reported after two minutes of attempts, and the text stays", async () => {
    const { answers, calls, state, replies, chats, words } = await openReplies();
    answers.push(stream(start(), token("One ", 4)), ...Array.from({ length: 99 }, () => unreachable()));
    await replies.send("a", "Hello", "auto");
    state.isReadable = false;
    await vi.advanceTimersByTimeAsync(100_000);
    expect(chats().conversations.a).toMatchObject({ isWriting: true, waitReason: "reconnecting" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(chats()).toMatchObject({ loading: [], error: { text: UNREACHABLE, chat: "a" } });
    expect(chats().conversations.a).toMatchObject({ isWriting: false, waitReason: null });
    expect(words()).toEqual(["Hello", "One "]);
    expect(calls.length).toBeLessThan(30);

    state.isReadable = true;
    state.stored = [message("q", "user", "Hello"), message("r1", "assistant", "One two", "interrupted")];
    window.dispatchEvent(new Event("online"));
    await vi.waitFor(() => expect(words()).toEqual(["Hello", "One two"]));
  });

  test("an outage is shown on the message only if it lasts, and no longer than that", async () => {
    const { answers, replies, chats, settle } = await openReplies();
    const waitReason = () => chats().conversations.a?.waitReason;
    answers.push(stream(start(), token("One ", 4)), ...Array.from({ length: 3 }, () => unreachable()));
    await replies.send("a", "Hello", "auto");
    await vi.advanceTimersByTimeAsync(1500);
    expect(waitReason()).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    expect(waitReason()).toBe("reconnecting");
    answers.push(stream(start(4), token("two", 7), DONE));
    window.dispatchEvent(new Event("online"));
    await settle();
    expect(waitReason()).toBeNull();
  });

  test("a lost stream is resumed at once when the page becomes visible again", async () => {
    const { answers, calls, replies, settle } = await openReplies();
    answers.push(stream(start(), token("One ", 4)), ...Array.from({ length: 7 }, () => unreachable()));
    await replies.send("a", "Hello", "auto");
    while (calls.length < 8) await vi.advanceTimersByTimeAsync(100);
    answers.push(stream(start(4), DONE));
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(100);
    await settle();
    expect(calls).toHaveLength(9);
  });

  test("a connection that is lost before the answer began repeats the request with the same key", async () => {
    const { answers, calls, replies, settle } = await openReplies();
    answers.push(broken(), stream(start(), token("Hi", 2), DONE));
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(calls.map(({ path }) => path)).toEqual(["/chat/a/send?stream=1", "/chat/a/send?stream=1"]);
    expect(new Set(calls.map(keyOf)).size).toBe(1);
  });

  test("a resumed stream continues at the server's position if the server has lost the last words", async () => {
    const { answers, state, replies, words, settle, chats } = await openReplies();
    answers.push(
      stream(start(), token("One two thr", 11)),
      stream(start(8), event({ seam: 8 }), token("four", 12), DONE),
    );
    state.isReadable = false;
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(words()).toEqual(["Hello", "One two four"]);
    expect(chats().conversations.a?.messages[1]?.seams).toEqual([8]);
  });

  test("a lost stream of a reply that no longer exists shows the stored text", async () => {
    const { answers, state, replies, chats, words, settle } = await openReplies();
    answers.push(stream(start(), token("One ", 4)), refusal(404, "not-found"));
    state.stored = [message("x", "user", "Other")];
    await replies.send("a", "Hello", "auto");
    await settle();
    await vi.waitFor(() => expect(words()).toEqual(["Other"]));
    expect(chats().error).toBeNull();
  });
});

describe("chats opened while their reply is being written", () => {
  const writing = [message("q", "user", "Q"), message("r1", "assistant", "Hal", "writing")];

  test("a running reply is joined at the end of its stored text", async () => {
    const { answers, calls, state, replies, words, settle } = await openReplies(writing);
    answers.push(stream(start(3), token("lo", 5), DONE));
    state.isReadable = false;
    replies.join("a");
    replies.join("a");
    await settle();
    expect(calls.map(({ path }) => path)).toEqual(["/chat/a/reply?reply=r1&from=3"]);
    expect(words()).toEqual(["Q", "Hallo"]);
  });

  test("a reply is joined only once if it is not running", async () => {
    const { answers, calls, store, replies, settle } = await openReplies(writing);
    answers.push(new Response(null, { status: 204 }));
    replies.join("a");
    await settle();
    await vi.waitFor(() => expect(store.getState().chats.conversations.a?.messages[1]?.state).toBe("writing"));
    replies.join("a");
    expect(calls).toHaveLength(1);
  });
});

describe("stops", () => {
  test("a Stop without a running request does not stop the next answer", async () => {
    const { answers, calls, replies, settle } = await openReplies();
    await replies.stop("a");
    answers.push(stream(start(), token("Hi", 2), DONE));
    await replies.send("a", "Hello", "auto");
    await settle();
    expect(calls.map(({ path }) => path)).toEqual(["/chat/a/send?stream=1"]);
  });

  test("a Stop waits until the server has begun", async () => {
    const { answers, calls, replies, settle } = await openReplies();
    answers.push(stream(start(), token("Hi", 2), DONE));
    const sending = replies.send("a", "Hello", "auto");
    await replies.stop("a");
    await sending;
    await settle();
    expect(calls.map(({ path }) => path)).toEqual(["/chat/a/send?stream=1", "/chat/a/stop"]);
  });
});

test("the reply of a deleted chat is no longer followed", async () => {
  const { answers, store, replies, chats } = await openReplies();
  answers.push(stream(start(), token("Hi", 2)), unreachable());
  await replies.send("a", "Hello", "auto");
  store.dispatch(chatEvents.deleteChatSuccess({ chat: "a" }));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(chats()).toMatchObject({ loading: [], error: null, conversations: {} });
});
