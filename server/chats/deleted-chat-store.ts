import { sql } from "kysely";
import { removeMessageRun } from "../database/message-removal-store.ts";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import { countRemovedChat } from "./change-store.ts";

/** `deleted_at` of a marker row: deletions up to its number may have been removed. */
const FORGOTTEN = sql.lit(0);

/** Messages removed in one step, as in the deletion of accounts; fewer if they have many parts. */
const REMOVED_AT_ONCE = 500;

/** Records deletions with their change numbers, by chat. */
export async function noteDeleted(
  db: Queryable,
  userId: string,
  numbers: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  if (numbers.size === 0) return;
  const rows = [...numbers].map(([chat_id, changed_seq]) => ({
    user_id: userId,
    chat_id,
    changed_seq,
    deleted_at: now,
  }));
  await db.insertInto("deleted_chats").values(rows).execute();
}

/** Removes the records of restored chats. */
export async function forgetDeletions(db: Queryable, userId: string, chatIds: readonly string[]): Promise<void> {
  if (chatIds.length === 0) return;
  await db.deleteFrom("deleted_chats").where("user_id", "=", userId).where("chat_id", "in", chatIds).execute();
}

/** Lists chats of all accounts that were deleted before a time. */
export async function listDeletedBefore(
  db: Queryable,
  deletedBefore: number,
): Promise<Pick<ChatRow, "id" | "user_id">[]> {
  return db.selectFrom("chats").select(["id", "user_id"]).where("deleted_at", "<", deletedBefore).execute();
}

/** Removes some messages of a deleted chat, with dependent rows. @returns whether there may be more */
export async function removeDeletedMessages(db: Queryable, userId: string, chatId: string): Promise<boolean> {
  const some = await db
    .selectFrom("messages")
    .innerJoin("chats", "chats.id", "messages.chat_id")
    .select(["messages.id", "messages.rev"])
    .where("chats.id", "=", chatId)
    .where("chats.user_id", "=", userId)
    .where("chats.deleted_at", "is not", null)
    .limit(REMOVED_AT_ONCE)
    .execute();
  return removeMessageRun(db, some);
}

/** Removes a deleted chat with all its data, and subtracts it from the account's quota. */
export async function removeDeletedChat(database: Database, userId: string, chatId: string): Promise<void> {
  await database.transaction().execute(async (db) => {
    const removed = await db
      .deleteFrom("chats")
      .where("id", "=", chatId)
      .where("user_id", "=", userId)
      .where("deleted_at", "is not", null)
      .returning("stored_bytes")
      .executeTakeFirst();
    if (removed) await countRemovedChat(db, userId, removed.stored_bytes);
  });
}

/** Whether records of deletions after this change number may have been removed. */
export async function hasForgottenDeletions(db: Queryable, userId: string, after: number): Promise<boolean> {
  const row = await db
    .selectFrom("deleted_chats")
    .select("chat_id")
    .where("user_id", "=", userId)
    .where("changed_seq", ">", after)
    .where("deleted_at", "=", FORGOTTEN)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes old records of deletions; the last one of each account stays as a marker. */
export async function forgetDeletionsBefore(db: Queryable, deletedBefore: number): Promise<void> {
  await db
    .updateTable("deleted_chats")
    .set({ deleted_at: FORGOTTEN })
    .where("deleted_at", "!=", FORGOTTEN)
    .where("deleted_at", "<", deletedBefore)
    .execute();
  await db
    .deleteFrom("deleted_chats")
    .where("deleted_at", "=", FORGOTTEN)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("deleted_chats as later")
          .select("later.chat_id")
          .whereRef("later.user_id", "=", "deleted_chats.user_id")
          .whereRef("later.changed_seq", ">", "deleted_chats.changed_seq")
          .where("later.deleted_at", "=", FORGOTTEN),
      ),
    )
    .execute();
}
