/** What other tabs and devices have done, put into the state: how a chat is now, whatever this page knew before. */

import type { ChatChanged } from "#contract/account-events.ts";
import type { ChatListItem, ChatLocation } from "#contract/chats.ts";
import type { Folder } from "#contract/folders.ts";
import type { ChatsState, Conversation } from "./chats-state.ts";

export type ChangedChat = ChatChanged["chat"];

export function chatLocation({ isPinned, isArchived, folderId }: ChatLocation): ChatLocation {
  return { ...(isPinned && { isPinned }), ...(isArchived && { isArchived }), ...(folderId && { folderId }) };
}

export const untitledOf = ({ isUntitled }: Pick<ChatListItem, "isUntitled">) => isUntitled && { isUntitled };

/** The line of the history at its place by activity; one that belongs to a page not read yet stays away. */
export function insertChat(state: ChatsState, chat: ChatListItem): void {
  const { id, title, updatedAt, isWriting, isUnread } = chat;
  const conversation = state.conversations[id];
  const place = chatLocation(chat);
  if (conversation) {
    // A read that was sent before is stale: it would put the former title back.
    if (conversation.title !== title) conversation.turn += 1;
    Object.assign(conversation, { title, isUntitled: chat.isUntitled ?? false, updatedAt, place });
  }
  const known = state.chats.find((other) => other.id === id);
  const item: ChatListItem = {
    id,
    title,
    ...untitledOf(chat),
    updatedAt,
    ...place,
    ...(isWriting !== undefined && { isWriting }),
    ...(isUnread !== undefined && { isUnread }),
  };
  const others = state.chats.filter((other) => other.id !== id);
  if (place.isArchived) state.chats = others;
  else if (known?.updatedAt === updatedAt) state.chats = state.chats.map((other) => (other === known ? item : other));
  else if (known || isRead(state, item)) {
    const at = others.findIndex((other) => other.updatedAt <= updatedAt);
    state.chats = others.toSpliced(at === -1 ? others.length : at, 0, item);
  }
}

/** Whether a chat stands in what was read of the history, or is on show for another reason. */
function isRead(state: ChatsState, { updatedAt, isPinned, folderId }: ChatListItem): boolean {
  if (!state.hasMoreChats || isPinned || updatedAt >= state.historyEnd) return true;
  const page = folderId === undefined ? undefined : state.folderPages[folderId];
  return page !== undefined && (!page.hasMore || updatedAt >= page.end);
}

export type HistoryPage = {
  chats: ChatListItem[];
  hasMore: boolean;
  /** The chats follow those that are there. */
  isNextPage: boolean;
  /** What else is on show, where it was read too. */
  pinned?: ChatListItem[];
  folders?: Folder[];
};

/** Puts what was read of the history in the place of what was there, or behind it. */
export function takeHistory(state: ChatsState, { chats, hasMore, isNextPage, pinned, folders }: HistoryPage): void {
  if (chats.length > 0 || !isNextPage) state.historyEnd = chats.at(-1)?.updatedAt ?? 0;
  state.hasMoreChats = hasMore;
  if (folders) state.folders = folders;
  if (!isNextPage) state.folderPages = {};
  const end = state.historyEnd;
  // Older ones in folders stay until those are read again.
  const isKept = (chat: ChatListItem) =>
    isNextPage || (hasMore && chat.updatedAt < end && chat.folderId && !chat.isPinned);
  const before = state.chats.filter(isKept);
  state.chats = mergeChats(isNextPage ? before : chats, isNextPage ? chats : [...(pinned ?? []), ...before]);
}

/** Those that are not there yet, at their places. */
export function mergeChats(there: readonly ChatListItem[], more: readonly ChatListItem[]): ChatListItem[] {
  const known = new Set(there.map(({ id }) => id));
  const merged = [...there, ...more.filter(({ id }) => !known.has(id) && known.add(id))];
  return merged.sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Takes a chat out of everything. Where it was open, the first remaining one takes its place, or `next`. */
export function removeChat(state: ChatsState, chat: string, next?: null): void {
  state.loading = state.loading.filter((work) => work !== `delete:${chat}` && work !== `send:${chat}`);
  state.chats = state.chats.filter((other) => other.id !== chat);
  state.selection = state.selection?.filter((other) => other !== chat) ?? null;
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
