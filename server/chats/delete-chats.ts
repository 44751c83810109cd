import { MINUTE, UNDO_LIFE_MS } from "#contract/limits.ts";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import { removeEntries } from "../search/search-index-store.ts";
import { markChanged } from "./change-store.ts";
import { requestStopIn, updateChat } from "./chat-store.ts";
import { forgetDeletion, listDeletedBefore, noteDeleted, removeDeletedChat } from "./deleted-chat-store.ts";
import { removeFoldersDeletedBefore } from "./folders/folder-store.ts";

/**
 * Deletes a chat that is held: it is not there any more for any call, but its row stays for as long as that can be undone.
 * @returns the reply that was being written in it, and is to be stopped: that its words are stored lets undo bring them back
 */
export async function markDeleted(db: Queryable, chat: ChatRow, now: number): Promise<string | undefined> {
  const { id, user_id: userId } = chat;
  await updateChat(db, userId, id, { deleted_at: now });
  const replyId = await requestStopIn(db, userId, id);
  await noteDeleted(db, userId, id, now);
  return replyId;
}

/** Undoes the deletion of a chat that is held; `false` where it is not deleted, or has been for too long. */
export async function undoDeletion(db: Queryable, chat: ChatRow, now: number): Promise<boolean> {
  const { id, user_id: userId, deleted_at: deletedAt } = chat;
  if (deletedAt === null || deletedAt < now - UNDO_LIFE_MS) return false;
  await updateChat(db, userId, id, { deleted_at: null });
  await forgetDeletion(db, userId, id);
  await markChanged(db, userId, id);
  return true;
}

/** Longer than that, as the clock of a server that undoes a deletion may be behind. */
const KEPT_MS = UNDO_LIFE_MS + MINUTE;

/** Removes what was deleted so long ago that it cannot be undone any more. */
export async function removeDeleted(database: Database, now: number): Promise<void> {
  for (const { id, user_id: userId } of await listDeletedBefore(database, now - KEPT_MS)) {
    // In steps: all at once would hold SQLite up for long.
    while (await removeEntries(database, userId, id));
    await removeDeletedChat(database, userId, id);
  }
  await removeFoldersDeletedBefore(database, now - KEPT_MS);
}
