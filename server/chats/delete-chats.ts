import { MINUTE, UNDO_LIFE_MS } from "#contract/limits.ts";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { removeEntries } from "../search/search-index-store.ts";
import { requestStopsIn, updateChats } from "./batch-store.ts";
import type { ChatSettings } from "./chat-store.ts";
import { listDeletedBefore, noteDeleted, removeDeletedChat, removeDeletedMessages } from "./deleted-chat-store.ts";
import { removeFoldersDeletedBefore } from "./folders/folder-store.ts";

/**
 * Deletes chats that are held, and changes them: they are not there any more for any call, but their rows stay for as long
 * as that can be undone. Last in its transaction.
 * @returns by chat, the reply that was being written in it, and is to be stopped: that its words are stored lets undo bring
 * them back
 */
export async function markDeleted(
  db: Queryable,
  userId: string,
  chatIds: readonly string[],
  { settings = {}, now }: { settings?: ChatSettings; now: number },
): Promise<Map<string, string>> {
  const replies = await requestStopsIn(db, userId, chatIds);
  const numbers = await updateChats(db, userId, chatIds, { ...settings, deleted_at: now });
  await noteDeleted(db, userId, numbers, now);
  return replies;
}

/** Whether a chat is deleted, and that can still be undone. */
export function isRestorable({ deleted_at: deletedAt }: Pick<ChatRow, "deleted_at">, now: number): boolean {
  return deletedAt !== null && deletedAt >= now - UNDO_LIFE_MS;
}

/** Longer than that, as the clock of a server that undoes a deletion may be behind. */
const RETENTION_MS = UNDO_LIFE_MS + MINUTE;

/** Removes what was deleted so long ago that it cannot be undone any more; what fails is left to the next time. */
export async function removeDeleted(
  { database, log }: { database: Database; log: Log },
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for (const chat of await listDeletedBefore(database, now - RETENTION_MS)) {
    await removeChat(database, chat, signal).catch((error: unknown) => {
      log.error({ err: error, chat: chat.id }, "deleted chat not removed, to be tried again");
    });
  }
  if (!signal.aborted) await removeFoldersDeletedBefore(database, now - RETENTION_MS);
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
