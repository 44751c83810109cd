import type { ChatBatch, ChatChange } from "#contract/chats.ts";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { ChatSettings } from "./chat-store.ts";
import { findFolder } from "./folders/folder-store.ts";

/**
 * What a person wants of chats, as their rows have it.
 * @throws Failure `folder-gone` where the account has no such folder
 */
export async function settingsOf(
  db: Queryable,
  userId: string,
  change: ChatChange | ChatBatch["change"],
): Promise<ChatSettings> {
  const { isPinned, isArchived, folderId } = change;
  if (typeof folderId === "string" && !(await findFolder(db, userId, folderId))) throw new Failure("folder-gone");
  return {
    ...("title" in change && change.title !== undefined && { title: change.title, title_origin: "person" }),
    ...("isUnread" in change && change.isUnread === false && { unread: 0 }),
    ...(isPinned !== undefined && { pinned: Number(isPinned) }),
    ...(isArchived !== undefined && { archived: Number(isArchived) }),
    ...(folderId !== undefined && { folder_id: folderId }),
  };
}

/** Whether a chat is another way than that. */
export function differs(chat: ChatRow, settings: ChatSettings): boolean {
  const now: ChatSettings = chat;
  const names = Object.keys(settings) as (keyof ChatSettings)[];
  return names.some((name) => now[name] !== settings[name]);
}
