/** Applies changes of chats by other tabs and devices to the state, whatever this page had stored before. */

import type { ChatChanged } from "#contract/conversation/account-events.ts";
import type { ChatListItem, ChatLocation } from "#contract/conversation/chats.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import type { ChatsState, Conversation } from "./chats-state.ts";
import { groupByLocation } from "./group-by-location.ts";

export type ChangedChat = ChatChanged["chat"];

export function chatLocation({ isPinned, isArchived, folderId }: ChatLocation): ChatLocation {
  return { ...(isPinned && { isPinned }), ...(isArchived && { isArchived }), ...(folderId && { folderId }) };
}

export const untitledOf = ({ isUntitled }: Pick<ChatListItem, "isUntitled">) => isUntitled && { isUntitled };

/** Returns the folder in which the list shows a chat, if any. */
const folderOf = ({ isPinned, isArchived, folderId }: ChatLocation) => (isPinned || isArchived ? undefined : folderId);

/** Counts a chat that leaves its place for another; undefined is no place, of a chat that is new or deleted. */
function recount({ folderCounts }: ChatsState, from: ChatLocation | undefined, to: ChatLocation | undefined): void {
  const [left, entered] = [from && folderOf(from), to && folderOf(to)];
  if (left === entered) return;
  if (left !== undefined) folderCounts[left] = Math.max(0, (folderCounts[left] ?? 0) - 1);
  if (entered !== undefined) folderCounts[entered] = (folderCounts[entered] ?? 0) + 1;
}

/** Inserts a chat whose deletion was undone. */
export function restoreChat(state: ChatsState, chat: ChatListItem): void {
  if (!state.chats.some(({ id }) => id === chat.id)) recount(state, undefined, chat);
  insertChat(state, chat);
}

/** Inserts or replaces a chat in the history, ordered by activity; omits a chat of a page that was not read yet. */
export function insertChat(state: ChatsState, chat: ChatListItem): void {
  const { id, title, updatedAt, isWriting, isWaiting, isUnread, isShared } = chat;
  const conversation = state.conversations[id];
  const location = chatLocation(chat);
  const known = state.chats.find((other) => other.id === id);
  // A chat that is not known here may have been in the folder before: the next read counts it.
  const before = known ?? conversation?.location;
  if (before) recount(state, before, location);
  if (conversation) {
    // Makes a read in progress stale: it would restore the former title.
    if (conversation.title !== title) conversation.version += 1;
    Object.assign(conversation, { title, isUntitled: chat.isUntitled ?? false, updatedAt, location });
  }
  const item: ChatListItem = {
    id,
    title,
    ...untitledOf(chat),
    updatedAt,
    ...location,
    ...(isWriting !== undefined && { isWriting }),
    ...(isWaiting !== undefined && { isWaiting }),
    ...(isUnread !== undefined && { isUnread }),
    ...(isShared !== undefined && { isShared }),
  };
  const others = state.chats.filter((other) => other.id !== id);
  if (location.isArchived) state.chats = others;
  else if (known?.updatedAt === updatedAt) state.chats = state.chats.map((other) => (other === known ? item : other));
  else if (known || isRead(state, item)) {
    const at = others.findIndex((other) => other.updatedAt <= updatedAt);
    state.chats = others.toSpliced(at === -1 ? others.length : at, 0, item);
  }
}

/** Returns whether a chat is within the pages that were read of the history or of its folder, or is pinned. */
function isRead(state: ChatsState, { updatedAt, isPinned, folderId }: ChatListItem): boolean {
  if (!state.hasMoreChats || isPinned || updatedAt >= state.historyEnd) return true;
  const page = folderId === undefined ? undefined : state.folderPages[folderId];
  return page !== undefined && (!page.hasMore || updatedAt >= page.end);
}

export type HistoryPage = {
  chats: ChatListItem[];
  hasMore: boolean;
  /** Whether the chats follow the ones in the state. */
  isNextPage: boolean;
  /** Pinned chats and folders, if they were read too. */
  pinned?: ChatListItem[];
  folders?: Folder[];
};

/** Replaces the history by what was read, or appends the next page. */
export function takeHistory(state: ChatsState, { chats, hasMore, isNextPage, pinned, folders }: HistoryPage): void {
  if (chats.length > 0 || !isNextPage) state.historyEnd = chats.at(-1)?.updatedAt ?? 0;
  state.hasMoreChats = hasMore;
  if (folders) {
    state.folders = folders;
    state.folderCounts = Object.fromEntries(folders.map(({ id, chats: count = 0 }) => [id, count]));
  }
  if (!isNextPage) state.folderPages = {};
  const end = state.historyEnd;
  // Older chats in folders stay until their folders are read again.
  const isRetained = (chat: ChatListItem) =>
    isNextPage || (hasMore && chat.updatedAt < end && chat.folderId && !chat.isPinned);
  const before = state.chats.filter(isRetained);
  state.chats = mergeChats(isNextPage ? before : chats, isNextPage ? chats : [...(pinned ?? []), ...before]);
}

/** Merges two lists of chats, ordered by activity; a duplicate is taken from `there`. */
export function mergeChats(there: readonly ChatListItem[], more: readonly ChatListItem[]): ChatListItem[] {
  const known = new Set(there.map(({ id }) => id));
  const merged = [...there, ...more.filter(({ id }) => !known.has(id) && known.add(id))];
  return merged.sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Returns the first chat of the list as it is shown: a pinned one, one in an open folder, another, one in a closed folder. */
function firstInList({ chats, folders, openFolders }: ChatsState): ChatListItem | undefined {
  const { pinned, filed, others } = groupByLocation(chats, folders);
  const inFolders = (isOpen: boolean) =>
    [...filed].flatMap(([id, inFolder]) => (openFolders.includes(id) === isOpen ? inFolder : []));
  return pinned[0] ?? inFolders(true)[0] ?? others[0] ?? inFolders(false)[0];
}

/**
 * Removes a chat from the state. If it was open, opens the first remaining chat of the list, in which pinned ones stand
 * on top, or with `next` null the welcome screen.
 */
export function removeChat(state: ChatsState, chat: string, next?: null): void {
  state.loading = state.loading.filter((work) => work !== `delete:${chat}` && work !== `send:${chat}`);
  recount(state, state.chats.find(({ id }) => id === chat) ?? state.conversations[chat]?.location, undefined);
  state.chats = state.chats.filter((other) => other.id !== chat);
  state.selection = state.selection?.filter((other) => other !== chat) ?? null;
  delete state.conversations[chat];
  if (state.error?.chat === chat) state.error = null;
  const wasOpening = state.opening === chat;
  if (wasOpening) state.opening = null;
  if (state.currentChat === chat) {
    // A chat that is being opened has precedence.
    const following = state.opening ?? (next === null ? null : (firstInList(state)?.id ?? null));
    state.currentChat = following;
    state.opening = following !== null && !state.conversations[following] ? following : null;
  } else if (!wasOpening) return;
  state.destination = { chat: state.currentChat, replace: true };
}

/** Returns whether the stored messages differ from the change. A reply that this page follows is always up to date. */
export function isOutdated(conversation: Conversation | undefined, { leaf, replyId }: ChangedChat): boolean {
  if (!conversation?.isLoaded || conversation.isWriting) return false;
  const last = conversation.messages.at(-1);
  if ((last?.id ?? null) !== leaf) return true;
  if ((replyId !== null && replyId === leaf) !== isRunning(last?.state)) return true;
  if (!last || isRunning(last.state)) return false;
  // Only this page may have assumed the interruption, and it may be over.
  return (last.state !== "complete" && last.state !== "stopped") || last.isTruncated === true;
}
