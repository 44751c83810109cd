import type { ChatListItem, ChatLocation } from "#contract/conversation/chats.ts";
import type { ChatGuidance } from "#contract/conversation/presets.ts";
import type { ChatRow } from "../database/schema.ts";
import { parseToolGroups } from "../presets/tool-groups.ts";
import type { ListedChat } from "./chat-store.ts";

/** Converts a row to the contract's list item. */
export function toListItem(row: ListedChat): ChatListItem {
  const { id, title, updated_at: updatedAt, unread, reply_id, waiting_id, share_id } = row;
  return {
    id,
    title,
    ...toUntitled(row),
    updatedAt,
    ...toLocation(row),
    ...(reply_id !== null && { isWriting: true }),
    ...(waiting_id !== null && { isWaiting: true }),
    ...(unread !== 0 && { isUnread: true }),
    ...(share_id !== null && { isShared: true }),
  };
}

/** Returns the mark of an untitled chat. */
export const toUntitled = ({ title_origin }: Pick<ChatRow, "title_origin">) =>
  title_origin === "default" && { isUntitled: true };

/** Returns pin, archive and folder of a chat. `folder_id`: id of an existing folder. */
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

/** Returns the preset, the instructions, the effort and the tools of a chat. */
export function toGuidance({
  preset_id,
  instructions,
  effort,
  tools: storedTools,
}: Pick<ChatRow, "preset_id" | "instructions" | "effort" | "tools">): ChatGuidance {
  const tools = parseToolGroups(storedTools);
  return {
    ...(preset_id !== null && { presetId: preset_id }),
    ...(instructions !== "" && { instructions }),
    ...(effort !== null && { effort }),
    ...(tools && { tools }),
  };
}
