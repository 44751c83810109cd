import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signOut } from "../../accounts/session/session.ts";
import { type FakeAnswer, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import { Draft } from "../draft.ts";
import "../../testing/english-texts.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { chooseEffort } from "../../presets/effort-choice.ts";
import { broken, DONE, endless, event, start, stream, token } from "../../testing/replies-set-up.ts";
import { openStoredSession } from "../stored-session.ts";
import { temporarySession } from "./temporary-session.ts";

const REPLY = "POST /temporary/reply";

beforeEach(() => localStorage.clear());
afterEach(async () => {
  await signOut();
  vi.unstubAllGlobals();
});

/** A temporary chat whose server returns these responses in order. */
function begin(...answers: FakeAnswer[]) {
  const calls = fakeApi({ [REPLY]: answers, "POST /auth/logout": { status: 204, text: "" } });
  const session = temporarySession(openStoredSession(""));
  const { store, replies } = session;
  const chats = () => store.getState().chats;
  const chat = chats().currentChat ?? "";
  const shown = () => {
    const { currentChat, conversations } = chats();
    return conversations[currentChat ?? ""]?.messages.map(({ content, state }) => `${state}: ${content}`);
  };
  const isIdle = () => vi.waitFor(() => expect(chats().conversations[chat]?.isWriting).toBe(false));
  return { calls, session, replies, chats, chat, shown, isIdle };
}

test("each temporary question is sent with all earlier messages", async () => {
  const { calls, replies, chat, shown, isIdle } = begin(
    () => stream(start(), token("Which book?", 11), DONE),
    () => stream(start(0, "r2"), token("Halldór.", 8), DONE),
  );
  expect(await replies.send(chat, "Who wrote it?", "auto")).toMatchObject({ isTaken: true });
  await isIdle();
  await replies.send(chat, "Independent People", "GPT:gpt-5");
  await isIdle();
  expect(shown()).toEqual([
    "complete: Who wrote it?",
    "complete: Which book?",
    "complete: Independent People",
    "complete: Halldór.",
  ]);
  const messages = [
    { role: "user", content: "Who wrote it?" },
    { role: "assistant", content: "Which book?", called: [] },
    { role: "user", content: "Independent People" },
  ];
  expect(calls.map(({ body }) => body)).toEqual([{ messages: messages.slice(0, 1) }, { messages, model: "GPT:gpt-5" }]);
});

test("a temporary chat begins with the usual effort, and its own choices are sent with each question", async () => {
  openStoredSession("").store.dispatch(chatEvents.organise({ usualEffort: "high" }));
  const { calls, session, replies, chat, isIdle } = begin(
    () => stream(start(), token("One", 3), DONE),
    () => stream(start(0, "r2"), token("Two", 3), DONE),
  );
  await replies.send(chat, "First", "auto");
  await isIdle();
  chooseEffort(session, "low");
  session.store.dispatch(chatEvents.guide({ chat, change: { tools: ["basics"] } }));
  await replies.send(chat, "Second", "auto");
  await isIdle();
  expect(calls.map(({ body }) => body)).toMatchObject([{ effort: "high" }, { effort: "low", tools: ["basics"] }]);
  expect(openStoredSession("").store.getState().chats.usualEffort).toBe("low");
});

test("the text of a lost connection stays as a failed answer, and another one replaces it", async () => {
  const { calls, replies, chats, chat, shown, isIdle } = begin(
    () => stream(start(), token("Once upon", 9)),
    () => broken(),
    () => stream(start(0, "r3"), token("A story.", 8), DONE),
  );
  await replies.send(chat, "Tell me a story", "auto");
  await isIdle();
  expect(shown()).toEqual(["complete: Tell me a story", "failed: Once upon"]);
  expect(chats().error?.text).toMatch(/^The connection was lost/);
  await replies.answer(chat, "retry", "auto");
  await isIdle();
  // A retry without an answer does not replace the failed answer.
  expect(shown()).toEqual(["complete: Tell me a story", "failed: Once upon"]);
  await replies.answer(chat, "retry", "auto");
  await isIdle();
  expect(shown()).toEqual(["complete: Tell me a story", "complete: A story."]);
  expect(calls.map(({ body }) => body)).toEqual(
    Array.from({ length: 3 }, () => ({ messages: [{ role: "user", content: "Tell me a story" }] })),
  );
});

test("a provider's failure is reported; the question stays without text, to be answered again", async () => {
  const failure = event({ error: "The server's sentence", code: "assistant-busy" });
  const { replies, chats, chat, shown, isIdle } = begin(() => stream(start(), failure, DONE));
  await replies.send(chat, "Hello", "auto");
  await isIdle();
  expect(shown()).toEqual(["complete: Hello"]);
  expect(chats().error?.text).toMatch(/^The assistant is busy/);
});

test("Stop closes the connection of a temporary reply and keeps the text received", async () => {
  const held = endless(start(), token("Once upon", 9));
  const signals: (AbortSignal | null | undefined)[] = [];
  const { replies, chats, chat, shown, isIdle } = begin(() => held.response);
  const answering = globalThis.fetch;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    signals.push(init.signal);
    const { body, headers } = await answering(path, init);
    // Errors like a browser stream when its request is aborted.
    const reader = body?.getReader();
    const cut = new ReadableStream({
      start: (out) => init.signal?.addEventListener("abort", () => out.error(init.signal?.reason)),
      pull: async (out) => out.enqueue((await reader?.read())?.value),
    });
    return new Response(cut, { headers });
  });
  await replies.send(chat, "Tell me a story", "auto");
  await vi.waitFor(() => expect(shown()?.[1]).toBe("writing: Once upon"));
  await replies.stop(chat);
  await isIdle();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  expect(shown()).toEqual(["complete: Tell me a story", "stopped: Once upon"]);
  expect(chats().error).toBeNull();
});

describe("the long rest of a temporary reply", () => {
  const ROWS = "| one | two |\n".repeat(4000);
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: false }));
  afterEach(() => void vi.useRealTimers());

  const receive = async () => {
    const temporary = begin(() => stream(start(), token(ROWS, ROWS.length), DONE));
    await temporary.replies.send(temporary.chat, "Hello", "auto");
    await vi.advanceTimersByTimeAsync(20);
    const answer = () => temporary.chats().conversations[temporary.chat]?.messages.at(-1);
    return { ...temporary, answer };
  };

  test("a long rest that arrives with the end of a temporary reply is painted in several tasks", async () => {
    const { chats, chat, answer } = await receive();
    expect(answer()?.content.length).toBeLessThanOrEqual(4000);
    expect(chats().conversations[chat]?.isWriting).toBe(true);
    await vi.advanceTimersByTimeAsync(2000);
    expect(answer()).toMatchObject({ content: ROWS, state: "complete" });
    expect(chats().conversations[chat]?.isWriting).toBe(false);
  });

  test("Stop paints a long rest of a temporary reply at once, and the reply is complete", async () => {
    const { replies, chat, answer } = await receive();
    await replies.stop(chat);
    await vi.advanceTimersByTimeAsync(0);
    expect(answer()).toMatchObject({ content: ROWS, state: "complete" });
  });
});

test("a refused question is removed from the screen, and the reason is shown", async () => {
  const { replies, chats, chat, shown } = begin(problem(413, "message-too-long"));
  expect(await replies.send(chat, "Too long", "auto")).toMatchObject({ isTaken: false, isAnswered: true, chat });
  expect(shown()).toEqual([]);
  expect(chats().error?.text).toMatch(/too long/);
});

test("late text of a temporary chat that was replaced by a new one is ignored", async () => {
  const held = endless(start(), token("Once upon", 9));
  const { session, replies, chats, chat, shown } = begin(() => held.response);
  await replies.send(chat, "Tell me a story", "auto");
  await vi.waitFor(() => expect(shown()?.[1]).toBe("writing: Once upon"));
  session.beginAnew();
  held.end(token(" a time", 16), DONE);
  await vi.waitFor(() => expect(chats().loading).toEqual([]));
  expect(shown()).toEqual([]);
  expect(chats().conversations).not.toHaveProperty(chat);
});

test("a removed temporary chat is replaced by another one, which accepts questions", async () => {
  const { session, replies, chats, chat, shown } = begin(() => stream(start(), token("Yes.", 4), DONE));
  session.store.dispatch(chatEvents.deleteChatSuccess({ chat }));
  const { currentChat } = chats();
  expect(currentChat).not.toBe(chat);
  expect(await replies.send(currentChat, "Are you there?", "auto")).toMatchObject({ isTaken: true });
  await vi.waitFor(() => expect(shown()).toEqual(["complete: Are you there?", "complete: Yes."]));
});

test("no text of a temporary chat is in a storage, nor in memory after the session", async () => {
  const { session, replies, chat, shown, isIdle } = begin(() => stream(start(), token("Canarygull too", 14), DONE));
  const { drafts } = session;
  await replies.send(chat, "A canarygull", "auto");
  await isIdle();
  drafts.set(chat, new Draft("Another canarygull"));
  const ticket = drafts.take(chat, "auto");
  drafts.settle(ticket, { isTaken: false, isAnswered: false }, chat);
  expect(drafts.get(chat).text).toBe("Another canarygull");
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])).not.toMatch(/canarygull/i);
  await signOut();
  expect([drafts.get(chat).text, shown()]).toEqual(["", []]);
  expect(temporarySession(openStoredSession(""))).not.toBe(session);
});

test("a temporary question waits without a server, and returns to the box when it is cancelled", async () => {
  const { session, replies, chats, chat, shown } = begin(() => Promise.reject(new TypeError("Failed to fetch")));
  const sending = replies.send(chat, "Hello", "auto");
  await vi.waitFor(() => expect(chats().conversations[chat]?.waitReason).toBe("offline"));
  expect(shown()?.[0]).toBe("complete: Hello");
  session.replies.cancel(chat);
  expect(await sending).toMatchObject({ isTaken: false });
  expect([shown(), chats().error]).toEqual([[], null]);
});
