import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SECOND } from "#contract/limits.ts";
import type { ChatsStore } from "../../chats/state/chats-store.ts";
import type { ChatSession } from "../chat-session.ts";
import { Draft } from "../draft.ts";
import { editLast } from "./edit-last.ts";

const box = document.createElement("textarea");
const other = document.createElement("input");
let begin: ReturnType<typeof vi.fn>;
let isWriting: boolean;
let listeners: Set<() => void>;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.append(box, other);
  begin = vi.fn();
  isWriting = true;
  listeners = new Set();
});

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Requests the edit while the answer in chat `a` is not stored completely. */
function ask(): void {
  const messages = [{ role: "user", id: "q" }];
  const store = {
    getState: () => ({ chats: { opening: null, currentChat: "a", conversations: { a: { messages, isWriting } } } }),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as ChatsStore;
  const session = { store, drafts: { get: () => Draft.empty }, branches: { edits: { begin } } };
  editLast(session as unknown as ChatSession, "a", { current: box });
}

function end(): void {
  isWriting = false;
  for (const listener of [...listeners]) listener();
}

test("an edit begins once, as soon as the answer is stored, even if requested repeatedly", () => {
  box.focus();
  ask();
  ask();
  expect(listeners.size).toBe(1);
  expect(begin).not.toHaveBeenCalled();
  end();
  end();
  expect(begin).toHaveBeenCalledExactlyOnceWith("a", "q");
});

test("an edit is given up if storing the answer takes long", () => {
  ask();
  vi.advanceTimersByTime(5 * SECOND);
  end();
  expect(begin).not.toHaveBeenCalled();
});

test("an edit is given up if another element has the focus by then", () => {
  ask();
  other.focus();
  end();
  expect(begin).not.toHaveBeenCalled();
});
