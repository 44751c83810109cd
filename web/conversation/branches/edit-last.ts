import type { RefObject } from "react";
import { SECOND } from "#contract/limits.ts";
import { selectMarkedChat } from "../../chats/state/chats-selectors.ts";
import type { ChatSession } from "../chat-session.ts";

/** Time after which the user has probably turned to something else. */
const PATIENCE_MS = 5 * SECOND;

let stopWaiting = () => {};

/**
 * Edits the last question of a chat, if there is one. If its answer was just stopped and is not stored completely yet,
 * waits for that, unless it takes too long or the user writes or focuses something else. `box`: may have the focus
 * then; otherwise nothing may.
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
    if (!last || selectMarkedChat(root) !== chat || !drafts.get(chat).isUntouched) return true;
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
