import { setImmediate } from "node:timers/promises";
import { MINUTE, UNDO_LIFE_MS } from "#contract/limits.ts";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { removeEntries } from "../search/search-index-store.ts";
import { requestStopsIn, updateChats } from "./batch-store.ts";
import type { ChatSettings } from "./chat-store.ts";
import { listDeletedBefore, noteDeleted, removeDeletedChat, removeDeletedMessages } from "./deleted-chat-store.ts";
import { removeFoldersDeletedBefore } from "./folders/folder-store.ts";

/**
 * Marks locked chats as deleted: no call finds them any more, but their rows stay as long as that can be undone. Must
 * be the last call in its transaction.
 * @returns by chat, its running reply, which the caller stops; its text is stored, so that undo restores it
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

/** Whether a deleted chat can still be restored. */
export function isRestorable({ deleted_at: deletedAt }: Pick<ChatRow, "deleted_at">, now: number): boolean {
  return deletedAt !== null && deletedAt >= now - UNDO_LIFE_MS;
}

/** Longer than the undo period, because the clock of another process may be behind. */
const RETENTION_MS = UNDO_LIFE_MS + MINUTE;

/** Removes chats and folders whose undo period is over; failures are retried at the next sweep. */
export async function removeDeleted(
  { database, log }: { database: Database; log: Log },
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for (const chat of await listDeletedBefore(database, now - RETENTION_MS)) {
    await removeChat(database, chat, signal).catch((error: unknown) => {
      log.error({ err: error, chat: chat.id }, "deleted chat not removed, will be retried");
    });
  }
  if (!signal.aborted) await removeFoldersDeletedBefore(database, now - RETENTION_MS);
}

/** Removes a chat in steps: at once it would block SQLite for long and exceed PostgreSQL's timeout. */
async function removeChat(
  database: Database,
  { id, user_id: userId }: Pick<ChatRow, "id" | "user_id">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await removeEntries(database, userId, id)));
  // Yields to the event loop, because SQLite queries are synchronous.
  while (!signal.aborted && (await removeDeletedMessages(database, userId, id))) await setImmediate();
  if (!signal.aborted) await removeDeletedChat(database, userId, id);
}
