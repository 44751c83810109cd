import { expect, test } from "vitest";
import type { Message } from "#contract/conversation.ts";
import { isOutdated } from "./chat-changes.ts";
import { chatsReducer, chatEvents as on } from "./chats-slice.ts";
import { initialChatsState } from "./chats-state.ts";

/** Returns a loaded chat whose reply has the given state. */
function read(state: Message["state"], more: Partial<Message> = {}) {
  const reply = { id: "r", role: "assistant", content: "A", state, parent: null, model: null, createdAt: 1 } as const;
  const chat = { id: "a", title: "T", updatedAt: 1, messages: [{ ...reply, ...more }] };
  return chatsReducer(initialChatsState, on.loadChatSuccess({ chat })).conversations.a;
}

const told = (leaf: string, replyId: string | null = null) => ({ id: "a", title: "T", updatedAt: 9, leaf, replyId });

test("a complete reply that is the newest is up to date", () => {
  expect(isOutdated(read("complete"), told("r"))).toBe(false);
  expect(isOutdated(read("complete"), told("later"))).toBe(true);
});

test("a running reply is up to date until it ends", () => {
  expect(isOutdated(read("writing"), told("r", "r"))).toBe(false);
  expect(isOutdated(read("writing"), told("r"))).toBe(true);
});

test.each(["failed", "interrupted"] as const)("a reply that is %s here may be outdated", (state) => {
  expect(isOutdated(read(state), told("r"))).toBe(true);
});

test("a reply that was stopped is not read again for each change", () => {
  expect(isOutdated(read("stopped"), told("r"))).toBe(false);
});

test("a truncated reply may have been continued", () => {
  expect(isOutdated(read("complete", { isTruncated: true }), told("r"))).toBe(true);
});
