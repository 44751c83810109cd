import { chatAddress, readChatAddress } from "../chats/chat-address.ts";
import { chatOf, shownChatLines } from "../chats/list/list-elements.ts";
import { selectMarkedChat } from "../chats/state/chats-selectors.ts";
import type { ActionContext } from "./action-context.ts";

/** Longer than the interval of key repeat. */
const RESTS_AFTER_MS = 150;

let passed: { line: HTMLElement; timer: ReturnType<typeof setTimeout> } | null = null;

/**
 * Goes to the chat `lines` further in the visible list; chats in closed folders do not count. `isHeld`: triggered by
 * key repeat, which only moves through the list; the chat is opened once the key rests (debounce).
 */
export function goAlong(context: ActionContext, lines: number, isHeld: boolean): void {
  const all = shownChatLines();
  // A key may be pressed before the page has rendered the address of the previous one.
  const { chat: addressed } = readChatAddress(new URLSearchParams(location.search));
  const from = leavePassed() ?? addressed ?? selectMarkedChat(context.storedSession.store.getState());
  const index = all.findIndex((line) => chatOf(line) === from);
  const next = all[index === -1 ? 0 : Math.max(0, Math.min(all.length - 1, index + lines))];
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

/** Ends the key repeat. @returns the chat that it has reached */
function leavePassed(): string | undefined {
  if (!passed) return;
  clearTimeout(passed.timer);
  const { line } = passed;
  delete line.dataset.passed;
  passed = null;
  return chatOf(line);
}
