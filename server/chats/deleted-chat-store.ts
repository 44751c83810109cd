import { sql } from "kysely";
import type { ChatRow, Database, Queryable } from "../database/schema.ts";
import { countRemovedChat } from "./change-store.ts";

/** `deleted_at` of a row that says only that what was deleted up to its number may be forgotten. */
const FORGOTTEN = sql.lit(0);

/** How many messages go at a time, as those of an account do. */
const REMOVED_AT_ONCE = 500;

/** Notes deletions, each with the number that it has among the account's changes, by chat. */
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

/** The chats are there again: nobody is to be told of their deletion any more. */
export async function forgetDeletions(db: Queryable, userId: string, chatIds: readonly string[]): Promise<void> {
  if (chatIds.length === 0) return;
  await db.deleteFrom("deleted_chats").where("user_id", "=", userId).where("chat_id", "in", chatIds).execute();
}

/** Chats of whichever account that were deleted before then. */
export async function listDeletedBefore(
  db: Queryable,
  deletedBefore: number,
): Promise<Pick<ChatRow, "id" | "user_id">[]> {
  return db.selectFrom("chats").select(["id", "user_id"]).where("deleted_at", "<", deletedBefore).execute();
}

/** Removes some messages of a chat that is deleted, and what hangs on them. @returns whether there may be more */
export async function removeDeletedMessages(db: Queryable, userId: string, chatId: string): Promise<boolean> {
  const some = db
    .selectFrom("messages")
    .innerJoin("chats", "chats.id", "messages.chat_id")
    .select("messages.id")
    .where("chats.id", "=", chatId)
    .where("chats.user_id", "=", userId)
    .where("chats.deleted_at", "is not", null)
    .limit(REMOVED_AT_ONCE);
  const { numDeletedRows } = await db.deleteFrom("messages").where("id", "in", some).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes a chat that is deleted, with all it holds, which counts against the account's quota no more. */
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

/** Whether deletions after that change may be forgotten, so that nobody can be told of them any more. */
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

/** Forgets old deletions; of each account the last of them stays, to tell how far. */
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
