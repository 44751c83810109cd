import type { ChatListItem, ChatPlace } from "#contract/chats.ts";
import type { ListedChat } from "./chat-store.ts";

/** As the contract has it. */
export function toListItem(row: ListedChat): ChatListItem {
  const { id, title, updated_at: updatedAt, unread, reply_id } = row;
  return {
    id,
    title,
    updatedAt,
    ...toPlace(row),
    ...(reply_id !== null && { isWriting: true }),
    ...(unread !== 0 && { isUnread: true }),
  };
}

/** Where its person has put a chat. `folder_id`: of a folder that is there. */
export function toPlace({
  pinned,
  archived,
  folder_id,
}: Pick<ListedChat, "pinned" | "archived" | "folder_id">): ChatPlace {
  return {
    ...(pinned !== 0 && { isPinned: true }),
    ...(archived !== 0 && { isArchived: true }),
    ...(folder_id !== null && { folderId: folder_id }),
  };
}
