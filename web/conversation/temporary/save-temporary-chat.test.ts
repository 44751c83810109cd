import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signOut } from "../../accounts/session/session.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { type FakeAnswer, type FakeCall, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import { Draft } from "../draft.ts";
import { queuedDraftKey } from "../queue/queued-draft-keys.ts";
import { openStoredSession } from "../stored-session.ts";
import { saveTemporaryChat } from "./save-temporary-chat.ts";
import { temporarySession } from "./temporary-session.ts";

beforeEach(() => localStorage.clear());
afterEach(async () => {
  vi.useRealTimers();
  await signOut();
  vi.unstubAllGlobals();
});

const stored = (...contents: string[]) => ({
  json: {
    ...{ id: "saved", title: "A title", updatedAt: 1 },
    messages: contents.map((content, at) => ({
      ...{ id: `m${at}`, role: at % 2 ? "assistant" : "user", content, state: "complete" },
      ...{ parent: null, model: null, createdAt: 1 },
    })),
  },
});

const appended: FakeAnswer = ({ body }: FakeCall) => {
  const message = { ...(body as object), id: "m", state: "complete", parent: null, model: null, createdAt: 1 };
  return Response.json(message, { status: 201 });
};

type Message = Pick<ClientMessage, "role" | "content" | "model" | "parts">;

function begin(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>) {
  const calls = fakeApi({
    "POST /auth/logout": { status: 204, text: "" },
    "POST /chat": { status: 201, ...stored() },
    "POST /chat/saved/message": appended,
    "GET /chat-history?limit=100": { json: [] },
    ...answers,
  });
  const storedSession = openStoredSession("");
  const session = temporarySession(storedSession);
  const chat = session.store.getState().chats.currentChat ?? "";
  const say = (...messages: Message[]) => {
    for (const [at, said] of messages.entries()) {
      const message = { key: `k${at}`, id: null, ...said, state: "complete", loading: false } as const;
      session.store.dispatch(chatEvents.addMessage({ chat, message }));
    }
  };
  const added = () =>
    calls.filter(({ path }) => path.endsWith("/message")).map(({ body }) => (body as Message).content);
  const keys = () =>
    calls
      .filter(({ method, path }) => method === "POST" && path === "/chat")
      .map(({ headers }) => headers.get("idempotency-key"));
  const said = () => session.store.getState().chats.conversations[chat]?.messages.map(({ content }) => content);
  return { session, storedSession, say, added, keys, said, calls };
}

const question: Message = { role: "user", content: "A question" };
const answer: Message = { role: "assistant", content: "An answer" };

test("a saved chat has every message, in order, and takes over the draft", async () => {
  const { session, storedSession, say, added, said } = begin({
    "GET /chat/saved": [stored(), stored("A question", "An answer")],
  });
  say(question, answer, { role: "assistant", content: " " });
  session.drafts.set(queuedDraftKey("any", 1, "key"), new Draft("Queued"));
  session.drafts.set(null, new Draft("Half a sent"));
  expect(await saveTemporaryChat(session)).toBe("saved");
  expect(added()).toEqual(["A question", "An answer"]);
  const { conversations, currentChat } = storedSession.store.getState().chats;
  expect(conversations.saved?.messages.map(({ content }) => content)).toEqual(["A question", "An answer"]);
  // The stored chat is opened by a navigation, not by saving.
  expect(currentChat).toBeNull();
  expect([storedSession.drafts.get("saved").text, session.drafts.get(null).text]).toEqual([
    "Queued\n\nHalf a sent",
    "",
  ]);
  expect(said()).toBeUndefined();
});

test("a saved chat has the models and parts of answers, the effort and the tools; defaults need no change", async () => {
  const changes: unknown[] = [];
  const { session, storedSession, say, calls } = begin({
    "GET /chat/saved": [
      stored(),
      { json: { ...stored("A question", "An answer").json, effort: "high", tools: ["web"] } },
    ],
    "PATCH /chat/saved": ({ body }) => {
      changes.push(body);
      return new Response(null, { status: 204 });
    },
  });
  const parts = [{ seq: 0, at: 0, kind: "reasoning", text: "Hm.", durationMs: 5 }];
  say(question, { ...answer, model: "GPT:gpt-5-mini", parts });
  session.store.dispatch(
    chatEvents.guide({ chat: session.store.getState().chats.currentChat, change: { effort: "high", tools: ["web"] } }),
  );
  expect(await saveTemporaryChat(session)).toBe("saved");
  expect(calls.filter(({ path }) => path.endsWith("/message")).map(({ body }) => body)).toEqual([
    question,
    { ...answer, model: "GPT:gpt-5-mini", parts },
  ]);
  expect(changes).toEqual([{ effort: "high", tools: ["web"] }]);
  expect(storedSession.store.getState().chats.conversations.saved).toMatchObject({ effort: "high", tools: ["web"] });
});

test("a failed attempt to save loses nothing, and the next one continues with the same chat", async () => {
  const { session, say, added, keys, said } = begin({
    "POST /chat/saved/message": [appended, problem(503, "unavailable"), appended],
    "GET /chat/saved": [stored(), stored("A question"), stored("A question", "An answer")],
  });
  say(question, answer);
  expect(await saveTemporaryChat(session)).toBeNull();
  expect(said()).toEqual(["A question", "An answer"]);
  expect(session.store.getState().chats).toMatchObject({ loading: [], error: { chat: null } });
  expect(await saveTemporaryChat(session)).toBe("saved");
  expect(added()).toEqual(["A question", "An answer", "An answer"]);
  expect(new Set(keys()).size).toBe(1);
});

test("a long conversation waits when the server limits the messages per minute", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const refusal = JSON.stringify({ detail: "No.", error: "No.", code: "too-many-requests" });
  const { session, say, added } = begin({
    "POST /chat/saved/message": [
      appended,
      () => new Response(refusal, { status: 429, headers: { "retry-after": "40" } }),
      appended,
    ],
    "GET /chat/saved": [stored(), stored("A question", "An answer")],
  });
  say(question, answer);
  const saving = saveTemporaryChat(session);
  await vi.waitUntil(() => added().length === 2);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(added()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await saving).toBe("saved");
  expect(added()).toEqual(["A question", "An answer", "An answer"]);
});

test("an incomplete chat of an earlier attempt is replaced if the conversation has changed", async () => {
  let isDeleted = false;
  const { session, say, added, keys } = begin({
    "DELETE /chat/saved": () => {
      isDeleted = true;
      return new Response(null, { status: 204 });
    },
    "GET /chat/saved": [stored("An earlier question"), stored(), stored("A question", "An answer")],
  });
  say(question, answer);
  expect(await saveTemporaryChat(session)).toBe("saved");
  expect([isDeleted, added()]).toEqual([true, ["A question", "An answer"]]);
  expect(new Set(keys()).size).toBe(2);
});

test("a chat that was deleted since an earlier attempt is created again", async () => {
  const { session, say, added, keys } = begin({
    "POST /chat": [problem(404, "not-found"), { status: 201, ...stored() }],
    "GET /chat/saved": [stored(), stored("A question", "An answer")],
  });
  say(question, answer);
  expect(await saveTemporaryChat(session)).toBe("saved");
  expect(added()).toEqual(["A question", "An answer"]);
  expect(new Set(keys()).size).toBe(2);
});

test("nothing else is requested while a chat is being saved", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { session, say } = begin({
    "POST /chat/saved/message": async (call) => {
      await promise;
      return typeof appended === "function" ? appended(call) : new Response();
    },
    "GET /chat/saved": [stored(), stored("A question")],
  });
  say(question);
  const chat = session.store.getState().chats.currentChat;
  const saving = saveTemporaryChat(session);
  expect(await session.replies.send(chat, "More", "auto")).toMatchObject({ isTaken: false });
  expect(await saveTemporaryChat(session)).toBeNull();
  resolve();
  expect(await saving).toBe("saved");
});
