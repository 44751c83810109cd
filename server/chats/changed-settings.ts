import type { ChatBatch, ChatChange, NewChat } from "#contract/conversation/chat-calls.ts";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { findPreset } from "../presets/preset-store.ts";
import { storedToolGroups } from "../presets/tool-groups.ts";
import type { ChatSettings } from "./chat-store.ts";
import { findFolder } from "./folders/folder-store.ts";

/**
 * Converts a requested change of chats to columns.
 * @throws Failure `folder-gone`, `preset-gone` if the account has no such folder or preset
 */
export async function settingsOf(
  db: Queryable,
  userId: string,
  change: ChatChange | NewChat | ChatBatch["change"],
): Promise<ChatSettings> {
  const { folderId } = change;
  if (typeof folderId === "string" && !(await findFolder(db, userId, folderId))) throw new Failure("folder-gone");
  if ("presetId" in change && typeof change.presetId === "string") await requirePreset(db, userId, change.presetId);
  return {
    ...("title" in change && change.title !== undefined && { title: change.title, title_origin: "person" }),
    ...("isUnread" in change && change.isUnread === false && { unread: 0 }),
    ...("isPinned" in change && change.isPinned !== undefined && { pinned: Number(change.isPinned) }),
    ...("isArchived" in change && change.isArchived !== undefined && { archived: Number(change.isArchived) }),
    ...("presetId" in change && change.presetId !== undefined && { preset_id: change.presetId }),
    ...("instructions" in change && change.instructions !== undefined && { instructions: change.instructions }),
    ...("effort" in change && change.effort !== undefined && { effort: change.effort }),
    ...("tools" in change && change.tools !== undefined && { tools: storedToolGroups(change.tools) }),
    ...(folderId !== undefined && { folder_id: folderId }),
  };
}

async function requirePreset(db: Queryable, userId: string, presetId: string): Promise<void> {
  if (!(await findPreset(db, userId, presetId))) throw new Failure("preset-gone");
}

/** Whether a chat differs from these settings. */
export function differs(chat: ChatRow, settings: ChatSettings): boolean {
  const now: ChatSettings = chat;
  const names = Object.keys(settings) as (keyof ChatSettings)[];
  return names.some((name) => now[name] !== settings[name]);
}
