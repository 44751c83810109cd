import type { RefObject } from "react";
import { SECOND } from "#contract/limits.ts";
import { selectMarkedChat } from "../../chats/state/chats-selectors.ts";
import type { ChatSession } from "../chat-session.ts";

/** Whoever has waited longer does something else by now. */
const PATIENCE_MS = 5 * SECOND;

let stopWaiting = () => {};

/**
 * Has the last question of a chat worded anew, where there is one. One whose answer was only just stopped is not stored to
 * its end yet: then as soon as it is, unless that takes long, or the person writes something else or goes on elsewhere.
 * `box`: where the focus may be by then, other than nowhere.
 */
export function editLast(
  { store, branches, drafts }: Pick<ChatSession, "store" | "branches" | "drafts">,
  chat: string,
  box: RefObject<HTMLElement | null>,
): void {
  stopWaiting();
  if (!branches) return;
  const begin = (): boolean => {
    const root = store.getState();
    const conversation = root.chats.conversations[chat];
    const last = conversation?.messages.findLast(({ role }) => role === "user");
    if (!last || selectMarkedChat(root) !== chat || drafts.get(chat).text !== "") return true;
    if (conversation?.isWriting || last.id === null) return false;
    branches.edits.begin(chat, last.id);
    return true;
  };
  if (begin()) return;
  const unfollow = store.subscribe(() => {
    const focused = document.activeElement;
    const isElsewhere = focused !== null && focused !== document.body && focused !== box.current;
    if (isElsewhere || begin()) stopWaiting();
  });
  const timer = setTimeout(() => stopWaiting(), PATIENCE_MS);
  stopWaiting = () => {
    clearTimeout(timer);
    unfollow();
  };
}
