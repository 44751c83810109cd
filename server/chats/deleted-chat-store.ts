import { sql } from "kysely";
import type { ChatRow, Queryable } from "../database/schema.ts";
import { nextChange } from "./change-store.ts";

/** `deleted_at` of a row that says only that what was deleted up to its number may be forgotten. */
const FORGOTTEN = sql.lit(0);

/** How many messages go at a time, as those of an account do. */
const REMOVED_AT_ONCE = 500;

/** Counts the deletion among the account's changes; last in its transaction, as `markChanged`. */
export async function noteDeleted(db: Queryable, userId: string, chatId: string, now: number): Promise<void> {
  const changed_seq = await nextChange(db, userId);
  await db
    .insertInto("deleted_chats")
    .values({ user_id: userId, chat_id: chatId, changed_seq, deleted_at: now })
    .execute();
}

/** The chat is there again: nobody is to be told of its deletion any more. */
export async function forgetDeletion(db: Queryable, userId: string, chatId: string): Promise<void> {
  await db.deleteFrom("deleted_chats").where("user_id", "=", userId).where("chat_id", "=", chatId).execute();
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

/** Removes a chat that is deleted, with all it holds. */
export async function removeDeletedChat(db: Queryable, userId: string, chatId: string): Promise<void> {
  await db
    .deleteFrom("chats")
    .where("id", "=", chatId)
    .where("user_id", "=", userId)
    .where("deleted_at", "is not", null)
    .execute();
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
