import type { ClientMessage } from "../../chats/state/chats-state.ts";
import type { ChatSession, SessionKey } from "../chat-session.ts";

/** Maximum number of cached branches of each chat. */
const REMEMBERED = 20;

export type BranchSession = Pick<ChatSession, "store" | "get">;
type Shown = readonly ClientMessage[];
/** Cached branches of each chat, the latest last. */
const shownBranches: SessionKey<Map<string, Shown[]>> = { create: () => new Map() };

/** Caches the shown branch, so that a switch back to it is immediate. */
export function rememberBranch(session: BranchSession, chat: string): void {
  const messages = session.store.getState().chats.conversations[chat]?.messages;
  if (!messages) return;
  const branches = session.get(shownBranches);
  branches.set(chat, [...(branches.get(chat) ?? []), messages].slice(-REMEMBERED));
}

/** Returns the cached branch through `to`, an alternative to a shown message; null if there is none. */
export function knownBranch(
  session: BranchSession,
  chat: string,
  shown: Shown,
  from: string,
  to: string,
): ClientMessage[] | null {
  const index = shown.findIndex(({ id }) => id === from);
  const branch = session
    .get(shownBranches)
    .get(chat)
    ?.findLast((messages) => messages[index]?.id === to);
  if (!branch || index === -1) return null;
  return branch.slice(0).map((message, at) => {
    const there = shown[at];
    if (there && at < index) return there;
    // The message at the same index has the same React key, so that it keeps the focus.
    const key = there?.role === message.role ? there.key : message.key;
    const alternatives = at === index ? there?.alternatives : message.alternatives;
    return { ...message, key, ...(alternatives && { alternatives }) };
  });
}
