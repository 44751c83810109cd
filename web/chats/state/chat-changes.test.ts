import { expect, test } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { isOutdated } from "./chat-changes.ts";
import { selectFolderCount } from "./chats-selectors.ts";
import { chatsReducer, chatEvents as on } from "./chats-slice.ts";
import { initialChatsState } from "./chats-state.ts";

/** Returns a loaded chat whose reply has the given state. */
function read(state: Message["state"], more: Partial<Message> = {}) {
  const reply = { id: "r", role: "assistant", content: "A", state, parent: null, model: null, createdAt: 1 } as const;
  const chat = { id: "a", title: "T", updatedAt: 1, messages: [{ ...reply, ...more }] };
  return chatsReducer(initialChatsState, on.loadChatSuccess({ chat })).conversations.a;
}

const changeTo = (leaf: string, replyId: string | null = null) => ({
  id: "a",
  title: "T",
  updatedAt: 9,
  leaf,
  replyId,
});

test("a complete reply that is the newest is up to date", () => {
  expect(isOutdated(read("complete"), changeTo("r"))).toBe(false);
  expect(isOutdated(read("complete"), changeTo("later"))).toBe(true);
});

test("a running reply is up to date until it ends", () => {
  expect(isOutdated(read("writing"), changeTo("r", "r"))).toBe(false);
  expect(isOutdated(read("writing"), changeTo("r"))).toBe(true);
});

test.each(["failed", "interrupted", "waiting"] as const)("a reply that is %s here may be outdated", (state) => {
  expect(isOutdated(read(state), changeTo("r"))).toBe(true);
});

test("a reply that was stopped is not read again for each change", () => {
  expect(isOutdated(read("stopped"), changeTo("r"))).toBe(false);
});

test("a truncated reply may have been continued", () => {
  expect(isOutdated(read("complete", { isTruncated: true }), changeTo("r"))).toBe(true);
});

test("the count of a folder follows its chats, also those that were not read", () => {
  const chat = (id: string, more = {}) => ({ id, title: id, updatedAt: 9, ...more });
  const folders = [
    { id: "f", name: "F", chats: 40 },
    { id: "g", name: "G" },
  ];
  const chats = [chat("a"), chat("b", { folderId: "f" })];
  const history = on.loadHistorySuccess({ chats, hasMore: true, isNextPage: false, folders });
  const count = (...events: Parameters<typeof chatsReducer>[1][]) => {
    const state = events.reduce(chatsReducer, chatsReducer(initialChatsState, history));
    return ["f", "g"].map((folder) => selectFolderCount(folder)({ chats: state }));
  };
  expect(count()).toEqual([40, 0]);
  expect(count(on.putChats({ chats: [chat("a", { folderId: "f" })] }))).toEqual([41, 0]);
  expect(count(on.putChats({ chats: [chat("b", { folderId: "g" })] }))).toEqual([39, 1]);
  expect(count(on.putChats({ chats: [chat("b", { folderId: "f", isPinned: true })] }))).toEqual([39, 0]);
  const deleted = on.deleteChatSuccess({ chat: "b" });
  expect(count(deleted)).toEqual([39, 0]);
  expect(count(deleted, on.restoreChats({ chats: [chat("b", { folderId: "f" })] }))).toEqual([40, 0]);
  // Once all chats are in the list, they are counted there.
  expect(count(on.loadHistorySuccess({ chats, hasMore: false, isNextPage: false }))).toEqual([null, null]);
});
