import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Folder } from "#contract/conversation/folders.ts";

/** Groups each chat once: with the pinned chats, else in its folder if that exists, else with the others. */
export function groupByLocation(chats: readonly ChatListItem[], folders: readonly Folder[]) {
  const pinned: ChatListItem[] = [];
  const others: ChatListItem[] = [];
  const filed = new Map(folders.map(({ id }): [string, ChatListItem[]] => [id, []]));
  for (const chat of chats) {
    const group = chat.isPinned ? pinned : filed.get(chat.folderId ?? "");
    (group ?? others).push(chat);
  }
  return { pinned, filed, others };
}
