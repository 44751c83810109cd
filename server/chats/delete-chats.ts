import { MINUTE, UNDO_LIFE_MS } from "#contract/limits.ts";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import type { Log } from "../ground.ts";
import { removeEntries } from "../search/search-index-store.ts";
import { markChanged } from "./change-store.ts";
import { requestStopIn, updateChat } from "./chat-store.ts";
import {
  forgetDeletion,
  listDeletedBefore,
  noteDeleted,
  removeDeletedChat,
  removeDeletedMessages,
} from "./deleted-chat-store.ts";
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

/** Removes what was deleted so long ago that it cannot be undone any more; what fails is left to the next time. */
export async function removeDeleted(
  { database, log }: { database: Database; log: Log },
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for (const chat of await listDeletedBefore(database, now - KEPT_MS)) {
    await removeChat(database, chat, signal).catch((error: unknown) => {
      log.error({ err: error, chat: chat.id }, "deleted chat not removed, to be tried again");
    });
  }
  if (!signal.aborted) await removeFoldersDeletedBefore(database, now - KEPT_MS);
}

/** In steps: all at once would hold SQLite up for long, and take PostgreSQL longer than it is given. */
async function removeChat(
  database: Database,
  { id, user_id: userId }: Pick<ChatRow, "id" | "user_id">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await removeEntries(database, userId, id)));
  while (!signal.aborted && (await removeDeletedMessages(database, userId, id)));
  if (!signal.aborted) await removeDeletedChat(database, userId, id);
}
