import type { ChatListItem, ChatLocation } from "#contract/chats.ts";
import type { ChatGuidance } from "#contract/presets.ts";
import type { ChatRow } from "../database/schema.ts";
import type { ListedChat } from "./chat-store.ts";

/** As the contract has it. */
export function toListItem(row: ListedChat): ChatListItem {
  const { id, title, updated_at: updatedAt, unread, reply_id } = row;
  return {
    id,
    title,
    ...toUntitled(row),
    updatedAt,
    ...toLocation(row),
    ...(reply_id !== null && { isWriting: true }),
    ...(unread !== 0 && { isUnread: true }),
  };
}

/** Marks a chat without a title of its own. */
export const toUntitled = ({ title_origin }: Pick<ChatRow, "title_origin">) =>
  title_origin === "default" && { isUntitled: true };

/** Where its person has put a chat. `folder_id`: of a folder that is there. */
export function toLocation({
  pinned,
  archived,
  folder_id,
}: Pick<ListedChat, "pinned" | "archived" | "folder_id">): ChatLocation {
  return {
    ...(pinned !== 0 && { isPinned: true }),
    ...(archived !== 0 && { isArchived: true }),
    ...(folder_id !== null && { folderId: folder_id }),
  };
}

/** What models are told in a chat alone. */
export function toGuidance({ preset_id, instructions }: Pick<ChatRow, "preset_id" | "instructions">): ChatGuidance {
  return { ...(preset_id !== null && { presetId: preset_id }), ...(instructions !== "" && { instructions }) };
}
