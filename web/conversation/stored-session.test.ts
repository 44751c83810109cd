import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signOut } from "../accounts/session/session.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import { fakeApi, problem } from "../testing/fakes/fake-api.ts";
import { Draft } from "./draft.ts";
import { editOf } from "./stored-drafts.ts";
import { openStoredSession } from "./stored-session.ts";

const UNANSWERED = { isTaken: false, isAnswered: false };

beforeEach(() => localStorage.clear());
afterEach(async () => {
  await signOut();
  vi.unstubAllGlobals();
});

test("text that is being sent is not stored again after a logout", async () => {
  fakeApi({});
  const { drafts } = openStoredSession("");
  drafts.set("a", new Draft("Secret"));
  const ticket = drafts.take("a", "auto");
  // The tab with the logout clears the storage for all tabs.
  localStorage.clear();
  await signOut();
  drafts.settle(ticket, UNANSWERED, "a");
  expect(localStorage).toHaveLength(0);
});

test("a waiting message in a chat that is deleted here is never sent, and no notification promises it", async () => {
  const calls = fakeApi({
    "GET /chat/a": { json: { id: "a", title: "T", updatedAt: 1, messages: [] } },
    "POST /chat/a/send?stream=1": [
      () => Response.json({ code: "draining" }, { status: 503, headers: { "retry-after": "8" } }),
      problem(404, "not-found"),
    ],
  });
  const { store, replies } = openStoredSession("");
  const chats = () => store.getState().chats;
  await store.dispatch(openChat("a"));
  const sending = replies.send("a", "Hello", "auto");
  await vi.waitFor(() => expect(chats().conversations.a?.waitReason).toBe("offline"));
  store.dispatch(chatEvents.deleteChatSuccess({ chat: "a" }));
  expect(await sending).toMatchObject({ isTaken: false });
  expect(chats()).toMatchObject({ error: null, loading: [] });
  expect(calls.map(({ method }) => method)).toEqual(["GET", "POST"]);
});

test("the draft of a deleted chat moves to the box of a new one", async () => {
  fakeApi({ "GET /chat/a": problem(404, "not-found") });
  const { store, drafts } = openStoredSession("");
  drafts.set("a", new Draft("Half a sent"));
  await store.dispatch(openChat("a"));
  expect([drafts.get("a").text, drafts.get(null).text]).toEqual(["", "Half a sent"]);
  expect(Object.values(localStorage)).toEqual(["Half a sent"]);
});

test("a send to a deleted chat moves other text of that chat to the box of a new one", async () => {
  fakeApi({
    "GET /chat/a": { json: { id: "a", title: "T", updatedAt: 1, messages: [] } },
    "POST /chat/a/send?stream=1": problem(404, "not-found"),
  });
  const { store, drafts, replies } = openStoredSession("");
  await store.dispatch(openChat("a"));
  drafts.set(editOf("a", "q1"), new Draft("A better question"));
  drafts.set("a", new Draft("Hello"));
  const ticket = drafts.take("a", "auto");
  const outcome = await replies.send("a", ticket.draft.text, ticket.model, { key: ticket.key });
  drafts.settle(ticket, outcome, outcome.chat);
  expect(drafts.get(null).text).toBe("Hello\n\nA better question");
  expect(Object.values(localStorage)).toEqual(["Hello\n\nA better question"]);
});
