/** What other tabs and devices have done, put into the state: how a chat is now, whatever this page knew before. */

import type { ChatChanged } from "#contract/account-events.ts";
import type { ChatListItem } from "#contract/chats.ts";
import type { ChatsState, Conversation } from "./chats-state.ts";

export type ChangedChat = ChatChanged["chat"];

/** The line of the history at its place by activity; one that belongs to a page not read yet stays away. */
export function placeChat(state: ChatsState, { id, title, updatedAt, isWriting, isUnread }: ChangedChat): void {
  const conversation = state.conversations[id];
  if (conversation) conversation.title = title;
  const known = state.chats.find((chat) => chat.id === id);
  const item: ChatListItem = {
    id,
    title,
    updatedAt,
    ...(isWriting !== undefined && { isWriting }),
    ...(isUnread !== undefined && { isUnread }),
  };
  if (known?.updatedAt === updatedAt) {
    state.chats = state.chats.map((chat) => (chat === known ? item : chat));
    return;
  }
  const others = state.chats.filter((chat) => chat.id !== id);
  const place = others.findIndex((chat) => chat.updatedAt <= updatedAt);
  if (place === -1 && state.hasMoreChats) state.chats = others;
  else state.chats = others.toSpliced(place === -1 ? others.length : place, 0, item);
}

/** Takes a chat out of everything. Where it was open, the first remaining one takes its place, or `next`. */
export function removeChat(state: ChatsState, chat: string, next?: null): void {
  state.loading = state.loading.filter((work) => work !== `delete:${chat}` && work !== `send:${chat}`);
  state.chats = state.chats.filter((other) => other.id !== chat);
  delete state.conversations[chat];
  if (state.error?.chat === chat) state.error = null;
  const wasOpening = state.opening === chat;
  if (wasOpening) state.opening = null;
  if (state.currentChat === chat) {
    // Whoever is on the way to another chat gets there.
    const following = state.opening ?? (next === null ? null : (state.chats[0]?.id ?? null));
    state.currentChat = following;
    state.opening = following !== null && !state.conversations[following] ? following : null;
  } else if (!wasOpening) return;
  state.destination = { chat: state.currentChat, replace: true };
}

/** Whether the messages here are not those that the change tells of. What this page itself follows, it knows. */
export function isOutdated(conversation: Conversation | undefined, { leaf, replyId }: ChangedChat): boolean {
  if (!conversation?.isLoaded || conversation.isWriting) return false;
  const last = conversation.messages.at(-1);
  if ((last?.id ?? null) !== leaf) return true;
  if ((replyId !== null && replyId === leaf) !== (last?.state === "writing")) return true;
  if (!last || last.state === "writing") return false;
  // That it broke off may be this page's own guess, and may be over.
  return last.state === "failed" || last.state === "interrupted" || last.isTruncated === true;
}
