import type { ChatListItem } from "#contract/chats.ts";
import type { ListedChat } from "./chat-store.ts";

/** As the contract has it. */
export function toListItem({ id, title, updated_at: updatedAt, unread, reply_id }: ListedChat): ChatListItem {
  return {
    id,
    title,
    updatedAt,
    ...(reply_id !== null && { isWriting: true }),
    ...(unread !== 0 && { isUnread: true }),
  };
}
