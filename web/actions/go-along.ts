import { chatAddress, readChatAddress } from "../chats/chat-address.ts";
import { chatOf, shownChatLines } from "../chats/list-elements.ts";
import { selectMarkedChat } from "../chats/state/chats-selectors.ts";
import type { ActionContext } from "./action-context.ts";

/** Between two repeats of a key that is held there is less. */
const RESTS_AFTER_MS = 150;

let passed: { line: HTMLElement; timer: ReturnType<typeof setTimeout> } | null = null;

/**
 * To the chat so many lines further in the list as it stands: folders that are closed keep theirs. `isHeld`: by a key that
 * repeats itself; it only passes through the list then, and the chat where it rests is opened.
 */
export function goAlong(context: ActionContext, lines: number, isHeld: boolean): void {
  const all = shownChatLines();
  // A key may come before the page has followed the address to which the last one led.
  const { chat: addressed } = readChatAddress(new URLSearchParams(location.search));
  const from = leavePassed() ?? addressed ?? selectMarkedChat(context.kept.store.getState());
  const place = all.findIndex((line) => chatOf(line) === from);
  const next = all[place === -1 ? 0 : Math.max(0, Math.min(all.length - 1, place + lines))];
  const id = chatOf(next);
  if (!next || id === undefined || (id === from && !isHeld)) return;
  const open = () => {
    leavePassed();
    context.leaveList();
    context.go(chatAddress(id));
  };
  if (!isHeld) {
    open();
    return;
  }
  next.dataset.passed = "";
  next.scrollIntoView({ block: "nearest" });
  passed = { line: next, timer: setTimeout(open, RESTS_AFTER_MS) };
}

/** @returns the chat at whose line a held key was */
function leavePassed(): string | undefined {
  if (!passed) return;
  clearTimeout(passed.timer);
  const { line } = passed;
  delete line.dataset.passed;
  passed = null;
  return chatOf(line);
}
