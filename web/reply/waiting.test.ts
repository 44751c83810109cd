import { describe, expect, test, vi } from "vitest";
import { selectIsWritingIn } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import {
  bodyOf,
  DONE,
  eachTestWithMovingClock,
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

const times = (count: number) => Array.from({ length: count }, () => unreachable());
const goOffline = () => vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
const comeBack = () => window.dispatchEvent(new Event("online"));

describe("messages without a reachable server", () => {
  test("a message waits for the server on the screen, and is the same in each attempt", async () => {
    const { answers, calls, replies, words, chats, isWaiting, waitReason } = await openReplies();
    answers.push(...times(3));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    expect(words()).toEqual(["Hello", ""]);
    expect(selectIsWritingIn("a")({ chats: chats() })).toBe(false);
    expect(chats()).toMatchObject({ loading: ["send:a"], error: null, conversations: { a: { isWriting: true } } });
    answers.push(stream(start(), token("Hi", 2), DONE));
    expect(await sending).toMatchObject({ isTaken: true });
    expect(waitReason()).toBeNull();
    expect(calls).toHaveLength(4);
    expect(new Set(calls.map(keyOf)).size).toBe(1);
    expect(new Set(calls.map(({ init }) => init.body)).size).toBe(1);
  });

  test.each([
    ["draining", "offline"],
    ["unavailable", "at-capacity"],
  ] as const)("a message also waits if the server reports %s, and its reason is %s", async (code, reason) => {
    const { answers, replies, chats, isWaiting } = await openReplies();
    const next = Promise.withResolvers<Response>();
    answers.push(refusal(503, code), () => next.promise);
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting(reason);
    expect(chats().error).toEqual({ chat: "a", text: expect.stringContaining("Please try again in a moment.") });
    next.resolve(stream(start(), DONE));
    expect(await sending).toMatchObject({ isTaken: true });
    expect(chats().error).toBeNull();
  });

  test.each([
    [502, "<html>Bad Gateway</html>", "HTTP 502"],
    [503, "", "HTTP 503"],
    [504, "The proxy’s own words", "The proxy’s own words"],
  ])("a message also waits if a proxy returns %i, and the banner shows the text", async (status, body, text) => {
    const { answers, replies, chats, isWaiting } = await openReplies();
    const next = Promise.withResolvers<Response>();
    answers.push(new Response(body, { status }), () => next.promise);
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    expect(chats().error).toEqual({ chat: "a", text });
    next.resolve(stream(start(), DONE));
    expect(await sending).toMatchObject({ isTaken: true });
    expect(chats().error).toBeNull();
  });

  test("a closed banner stays closed while the message waits for the same reason", async () => {
    const { answers, calls, store, replies, chats, isWaiting } = await openReplies();
    answers.push(...Array.from({ length: 9 }, () => new Response("", { status: 502 })));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    store.dispatch(chatEvents.clearError());
    while (calls.length < 4) await vi.advanceTimersByTimeAsync(100);
    expect(chats().error).toBeNull();
    replies.cancel("a");
    await sending;
  });

  test("a waiting message is sent at once when the browser is online again", async () => {
    const { answers, calls, replies, isWaiting } = await openReplies();
    goOffline();
    answers.push(...times(9));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    while (calls.length < 9) await vi.advanceTimersByTimeAsync(100);
    answers.push(stream(start(), DONE));
    comeBack();
    await vi.advanceTimersByTimeAsync(100);
    expect(await sending).toMatchObject({ isTaken: true });
    expect(calls).toHaveLength(10);
  });

  test("a message waits without a limit while there is no network", async () => {
    const { answers, replies, isWaiting, waitReason } = await openReplies();
    goOffline();
    answers.push(...times(2000));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(waitReason()).toBe("offline");
    answers.splice(0, answers.length, stream(start(), DONE));
    comeBack();
    expect(await sending).toMatchObject({ isTaken: true });
  });

  test("a waiting message returns to its box with the reason after two minutes, and keeps its key", async () => {
    const { answers, calls, state, replies, chats, words } = await openReplies();
    answers.push(...times(99));
    state.isReadable = false;
    const sending = replies.send("a", "Hello", "auto");
    await vi.advanceTimersByTimeAsync(150_000);
    expect(await sending).toEqual({ isTaken: false, isAnswered: false, chat: "a" });
    expect(words()).toEqual([]);
    expect(chats()).toMatchObject({ loading: [], error: { text: UNREACHABLE, chat: "a" } });
    expect(calls.length).toBeLessThan(40);
    answers.splice(0, answers.length, stream(start(), DONE));
    await replies.send("a", "Hello", "auto");
    expect(new Set(calls.map(keyOf)).size).toBe(1);
  });

  test("a message is retried after a timeout if the server does not respond", async () => {
    const { answers, replies, isWaiting } = await openReplies();
    answers.push(() => new Promise(() => {}));
    const sending = replies.send("a", "Hello", "auto");
    await vi.advanceTimersByTimeAsync(5000);
    await isWaiting();
    answers.push(stream(start(), DONE));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await sending).toMatchObject({ isTaken: true });
  });

  test("a message continues waiting while another chat is open", async () => {
    const { answers, store, replies, chats, words, isWaiting, settle } = await openReplies();
    answers.push(...times(3));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    await store.dispatch(openChat("b"));
    answers.push(stream(start(), token("Hi", 2), DONE));
    expect(await sending).toMatchObject({ isTaken: true });
    await settle();
    expect(chats().currentChat).toBe("b");
    expect(words("b")).toEqual([]);
  });
});

describe("cancelled messages", () => {
  test("a cancelled message leaves the screen without an error, for its box", async () => {
    const { answers, calls, state, replies, chats, words, isWaiting } = await openReplies([
      message("q", "user", "1"),
      message("r", "assistant", "2"),
    ]);
    answers.push(...times(9));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    state.isReadable = false;
    replies.cancel("a");
    expect(await sending).toEqual({ isTaken: false, isAnswered: false, chat: "a" });
    expect(words()).toEqual(["1", "2"]);
    expect(chats()).toMatchObject({
      loading: [],
      error: null,
      conversations: { a: { isWriting: false, waitReason: null } },
    });
    const { length } = calls;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(length);
  });

  test("a cancelled message is shown if the server has accepted it after all", async () => {
    const { answers, state, replies, words, chats, isWaiting } = await openReplies();
    answers.push(...times(9));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    state.stored = [message("q", "user", "Hello"), message("r", "assistant", "Hi", "writing")];
    replies.cancel("a");
    expect(await sending).toEqual({ isTaken: true, isAnswered: true, chat: "a" });
    expect(words()).toEqual(["Hello", "Hi"]);
    expect(chats().conversations.a?.isWriting).toBe(false);
  });

  test("a cancelled message is not confused with an earlier one of the same text", async () => {
    const { answers, replies, words, isWaiting } = await openReplies([
      message("q", "user", "Hello"),
      message("r", "assistant", "Hi"),
    ]);
    answers.push(...times(9));
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    replies.cancel("a");
    expect(await sending).toMatchObject({ isTaken: false });
    expect(words()).toEqual(["Hello", "Hi"]);
  });

  test("a cancelled message aborts its pending request, also by Stop", async () => {
    const { answers, replies, words, isWaiting } = await openReplies();
    let asked: AbortSignal | undefined;
    answers.push(unreachable(), (signal) => {
      asked = signal;
      return new Promise(() => {});
    });
    const sending = replies.send("a", "Hello", "auto");
    await isWaiting();
    await vi.waitFor(() => expect(asked).toBeDefined());
    await replies.stop("a");
    expect(await sending).toMatchObject({ isTaken: false });
    expect(asked?.aborted).toBe(true);
    expect(words()).toEqual([]);
  });

  test("a waiting message is cancelled by a Stop that came before it had to wait", async () => {
    const { answers, replies, words } = await openReplies();
    const failing = Promise.withResolvers<Response>();
    answers.push(() => failing.promise);
    const sending = replies.send("a", "Hello", "auto");
    await replies.stop("a");
    failing.reject(unreachable());
    expect(await sending).toMatchObject({ isTaken: false });
    expect(words()).toEqual([]);
  });
});

describe("first messages of a chat that is not created yet", () => {
  test("a first message waits where it was written, and creates one chat", async () => {
    const { answers, calls, state, replies, chats, words } = setUpReplies();
    state.isUnreachable = true;
    const sending = replies.send(null, "Hello", "auto");
    await vi.waitFor(() => expect(chats().firstMessage).toMatchObject({ text: "Hello", waitReason: "offline" }));
    expect(chats()).toMatchObject({ error: null, currentChat: null });
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(2));
    state.isUnreachable = false;
    answers.push(stream(start(), token("Hi", 2), DONE));
    state.isReadable = false;
    comeBack();
    expect(await sending).toMatchObject({ isTaken: true, chat: "new" });
    expect(chats()).toMatchObject({ firstMessage: null, currentChat: "new" });
    expect(words("new")?.[0]).toBe("Hello");
    expect(new Set(calls.filter(({ path }) => path === "/chat").map(keyOf)).size).toBe(1);
  });

  test("a waiting first message can be cancelled", async () => {
    const { state, replies, chats } = setUpReplies();
    state.isUnreachable = true;
    const sending = replies.send(null, "Hello", "auto");
    await vi.waitFor(() => expect(chats().firstMessage?.waitReason).toBe("offline"));
    replies.cancel(null);
    expect(await sending).toEqual({ isTaken: false, isAnswered: false, chat: null });
    expect(chats()).toMatchObject({ firstMessage: null, loading: [], error: null });
  });

  test("a first message uses the preset of its own attempt: not of a cancelled one, nor of another account", async () => {
    const tryWith = async (
      { state, store, replies, chats, calls }: ReturnType<typeof setUpReplies>,
      preset: string | null,
    ) => {
      state.isUnreachable = true;
      store.dispatch(chatEvents.guide({ chat: null, change: { presetId: preset } }));
      const sending = replies.send(null, "Hello", "auto");
      await vi.waitFor(() => expect(chats().firstMessage?.waitReason).toBe("offline"));
      replies.cancel(null);
      await sending;
      return { body: bodyOf(calls.at(-1)), key: keyOf(calls.at(-1)) };
    };
    const mine = setUpReplies();
    const first = await tryWith(mine, "poet");
    expect(first.body).toEqual({ presetId: "poet" });
    // The server may have created it: the same chat keeps its key.
    expect(await tryWith(mine, "poet")).toEqual(first);
    const second = await tryWith(mine, "critic");
    expect(second.body).toEqual({ presetId: "critic" });
    expect(second.key).not.toBe(first.key);
    const next = await tryWith(setUpReplies(), "critic");
    expect(next.key).not.toBe(second.key);
    expect((await tryWith(setUpReplies(), null)).body).toEqual({});
  });

  test("a first message is sent in the background when the user has opened another chat", async () => {
    const { answers, state, store, replies, chats } = setUpReplies();
    state.isUnreachable = true;
    const sending = replies.send(null, "Hello", "auto");
    await vi.waitFor(() => expect(chats().firstMessage?.waitReason).toBe("offline"));
    await store.dispatch(openChat("b"));
    state.isUnreachable = false;
    answers.push(stream(start(), DONE));
    comeBack();
    expect(await sending).toMatchObject({ isTaken: true });
    expect(chats()).toMatchObject({ currentChat: "b", destination: null });
    expect(chats().chats.map(({ id }) => id)).toEqual(["new"]);
  });

  test("a first message is sent once, however often it is requested", async () => {
    const { answers, calls, replies } = setUpReplies();
    answers.push(stream(start(), DONE));
    const [first, second] = await Promise.all([
      replies.send(null, "Hello", "auto"),
      replies.send(null, "Hello", "auto"),
    ]);
    expect(first).toMatchObject({ isTaken: true });
    expect(second).toMatchObject({ isTaken: false });
    expect(calls.map(({ path }) => path)).toEqual(["/chat", "/chat/new/send?stream=1"]);
    expect(bodyOf(calls[1])).toEqual({ message: "Hello", parent: null });
  });
});
