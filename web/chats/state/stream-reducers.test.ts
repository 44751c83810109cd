import { expect, test } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { chatsReducer, chatEvents as on } from "./chats-slice.ts";
import { initialChatsState } from "./chats-state.ts";
import { filesOf } from "./file-parts.ts";

type Event = Parameters<typeof chatsReducer>[1];

const said = (id: string, role: Message["role"], more: Partial<Message> = {}): Message => {
  return { id, role, content: id, state: "complete", parent: null, model: null, createdAt: 1, ...more };
};
const messages = [said("q1", "user"), said("a1", "assistant"), said("q2", "user"), said("a2", "assistant")];

const open = [
  on.loadChat({ chat: "a" }),
  on.loadChatSuccess({ chat: { id: "a", title: "A", updatedAt: 1, messages } }),
];
const after = (...events: Event[]) => [...open, ...events].reduce(chatsReducer, initialChatsState);
const shown = (...events: Event[]) => after(...events).conversations.a?.messages ?? [];
const ids = (...events: Event[]) => shown(...events).map(({ id }) => id);

test("a branch replaces the messages after those it keeps", () => {
  const branchBase = shown().slice(0, 1);
  expect(ids(on.sendMessageWithAiStream({ chat: "a", key: "k", text: "Other", branchBase }))).toEqual([
    "q1",
    null,
    null,
  ]);
  expect(ids(on.sendMessageWithAiStream({ chat: "a", key: "k", text: "Other" }))).toHaveLength(6);
});

test("a new reply replaces the named one, else the last", () => {
  const asked = (of?: string) => on.requestReply({ chat: "a", key: "k", isContinued: false, of });
  expect(ids(asked("a1"))).toEqual(["q1", null]);
  expect(ids(asked())).toEqual(["q1", "a1", "q2", null]);
  expect(ids(asked("nobody's"))).toEqual(["q1", "a1", "q2", null]);
});

test("showing another branch makes earlier reads stale", () => {
  const before = after().conversations.a?.version ?? 0;
  const state = after(on.showBranch({ chat: "a", messages: shown().slice(0, 2) }));
  expect(state.conversations.a).toMatchObject({ version: before + 1, messages: [{ id: "q1" }, { id: "a1" }] });
});

test("the alternatives of a message are stored", () => {
  const chat = { id: "a", title: "A", updatedAt: 1, messages: [said("q1", "user", { alternatives: ["q0", "q1"] })] };
  expect(shown(on.loadChatSuccess({ chat }))[0]?.alternatives).toEqual(["q0", "q1"]);
});

test("a question shows its files at once; without text they name the chat", () => {
  const files = [
    { id: "f1", name: "photo.jpg", type: "image/jpeg", size: 5, width: 4, height: 3 },
    { id: "f2", name: "report.pdf", type: "application/pdf", size: 9 },
  ];
  const state = [
    on.createChatSuccess({ chat: { id: "b", title: "New chat", updatedAt: 1, messages: [] } }),
    on.sendMessageWithAiStream({ chat: "b", key: "k", text: "", files }),
    on.receiveStreamStart({ chat: "b", reply: "r", at: 9 }),
  ].reduce(chatsReducer, initialChatsState);
  const [question, reply] = state.conversations.b?.messages ?? [];
  expect(question?.parts).toEqual([
    { seq: 0, at: 0, kind: "file", ...files[0] },
    { seq: 1, at: 0, kind: "file", ...files[1] },
  ]);
  expect(filesOf(question ?? {})).toEqual(files);
  expect(reply?.parts).toBeUndefined();
  expect(state.chats[0]?.title).toBe("photo.jpg, report.pdf");
});

test.each([
  [{ state: "proposed" }, "waiting"],
  [{ state: "unknown" }, "waiting"],
  [{ state: "unknown", result: "Skipped." }, "complete"],
  [{ state: "succeeded" }, "complete"],
] as const)("a reply that ends with the call %o is %s", (call, state) => {
  const part = { seq: 0, at: 0, kind: "tool", ...call };
  const events = [
    on.sendMessageWithAiStream({ chat: "a", key: "k", text: "Buy tea." }),
    on.receivePart({ chat: "a", part, rev: 1 }),
    on.completeStream({ chat: "a" }),
  ];
  expect(shown(...events).at(-1)?.state).toBe(state);
});
