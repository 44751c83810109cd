import { sql } from "kysely";
import { RUNNING } from "#contract/conversation/reply-state.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { nextChanges } from "./change-store.ts";
import type { ChatSettings } from "./chat-store.ts";

/**
 * Locks the account's chats among these, including deleted ones, until the end of the transaction. Chats are locked in
 * one statement, in a fixed order and before the account's row, to prevent deadlocks.
 */
export async function holdChats(db: Queryable, userId: string, chatIds: readonly string[]): Promise<ChatRow[]> {
  const chats = db
    .selectFrom("chats")
    .selectAll()
    .where("id", "in", chatIds)
    .where("user_id", "=", userId)
    .orderBy("id");
  // SQLite runs one transaction at a time.
  return (isOnSqlite(db) ? chats : chats.forNoKeyUpdate()).execute();
}

/**
 * Applies the same change (except titles) to locked chats, and numbers the change of each like `markChanged`. Must be
 * the last call in its transaction: the account's row is locked for two statements only.
 * @returns the number of the change by chat
 */
export async function updateChats(
  db: Queryable,
  userId: string,
  chatIds: readonly string[],
  settings: Omit<ChatSettings, "title" | "title_origin">,
): Promise<Map<string, number>> {
  if (chatIds.length === 0) return new Map();
  const before = (await nextChanges(db, userId, chatIds.length)) - chatIds.length;
  const numbers = new Map(chatIds.map((id, at) => [id, before + at + 1]));
  const cases = [...numbers].map(([id, number]) => sql`when ${id} then ${sql.lit(number)}`);
  await db
    .updateTable("chats")
    .set({ ...settings, changed_seq: sql<number>`case id ${sql.join(cases, sql` `)} end` })
    .where("id", "in", chatIds)
    .where("user_id", "=", userId)
    .execute();
  return numbers;
}

/**
 * Requests the running replies of locked chats to stop. The rows are locked in the order of their ids, like in
 * checkpoints, to prevent deadlocks. @returns the replies by chat
 */
export async function requestStopsIn(
  db: Queryable,
  userId: string,
  chatIds: readonly string[],
): Promise<Map<string, string>> {
  if (chatIds.length === 0) return new Map();
  const writing = db
    .selectFrom("messages")
    .select(["id", "chat_id"])
    .where("chat_id", "in", chatIds)
    .where("user_id", "=", userId)
    .where("state", "=", sql.lit(RUNNING))
    .orderBy("id");
  const rows = await (isOnSqlite(db) ? writing : writing.forNoKeyUpdate()).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await db.updateTable("messages").set({ stop_requested: 1 }).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, chat_id }) => [chat_id, id]));
}
