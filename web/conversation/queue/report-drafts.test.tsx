import { expect, test, vi } from "vitest";
import { currentSession } from "../../accounts/session/session.ts";
import { problem } from "../../testing/fakes/fake-api.ts";
import { box, eachChatScreenAlone, openChatScreen, storedChat, write } from "../../testing/open-chat-screen.tsx";
import { message } from "../../testing/replies-set-up.ts";
import { openStoredSession } from "../stored-session.ts";
import { queueModule } from "./queue-module.ts";

eachChatScreenAlone();

const empty = (id: string) => ({ json: { ...storedChat(id).json, title: "New chat", isUntitled: true } });
const loaded = (chat: string) => {
  const { store } = openStoredSession(currentSession().user?.id ?? "");
  return vi.waitFor(() => expect(store.getState().chats.currentChat).toBe(chat));
};

test("a draft in an empty chat is reported once, so that the server keeps the chat", async () => {
  await queueModule.load();
  const sent = await openChatScreen("/chat?c=a", { "GET /chat/a": empty("a"), "PATCH /chat/a": { text: "" } });
  await loaded("a");
  expect(sent()).toEqual([]);
  for (const text of ["H", "He", ""]) write(text);
  await vi.waitFor(() => expect(sent()).toEqual([["PATCH /chat/a", { isLatest: true }]]));
});

test("a draft of an earlier page is reported too, and its words move to a new chat if its chat is gone", async () => {
  await queueModule.load();
  localStorage.setItem("draft:1:b", "Half a thought");
  localStorage.setItem("draft:1:c/queue:refused-1-k", "A refused question");
  const sent = await openChatScreen("/chat", {
    "PATCH /chat/b": problem(404, "not-found"),
    "PATCH /chat/c": { text: "" },
  });
  await vi.waitFor(() =>
    expect(sent()).toEqual([
      ["PATCH /chat/b", { isLatest: true }],
      ["PATCH /chat/c", { isLatest: true }],
    ]),
  );
  await vi.waitFor(() => expect(box().value).toBe("Half a thought"));
  expect(localStorage.getItem("draft:1:b")).toBeNull();
  expect(localStorage.getItem("draft:1:c/queue:refused-1-k")).not.toBeNull();
});

test("the words of an unsaved form are no draft of a chat, and stay", async () => {
  await queueModule.load();
  localStorage.setItem("draft:1:form:preset:new", '{"name":"Poet"}');
  localStorage.setItem("draft:1:b", "Half a thought");
  const sent = await openChatScreen("/chat", { "PATCH /chat/b": { text: "" } });
  await vi.waitFor(() => expect(sent()).toEqual([["PATCH /chat/b", { isLatest: true }]]));
  expect(localStorage.getItem("draft:1:form:preset:new")).toBe('{"name":"Poet"}');
});

test("a draft in a chat with messages is not reported", async () => {
  await queueModule.load();
  const stored = storedChat("a", message("q", "user", "Hello"), message("r", "assistant", "Hi"));
  const sent = await openChatScreen("/chat?c=a", { "GET /chat/a": stored });
  await loaded("a");
  write("Half a sentence");
  expect(sent()).toEqual([]);
});
