import { type ExpressionBuilder, sql } from "kysely";
import { removeMessageRun } from "../../database/message-removal-store.ts";
import type { Database, Queryable, Schema, UserRow } from "../../database/schema.ts";
import { releaseMail } from "../../mail/mail-store.ts";
import type { RemovedKind } from "../../mail/notice-letters.ts";

/** Messages removed per transaction, fewer if they have many parts: bounds how long SQLite blocks the process, and PostgreSQL's statement time. */
const BATCH = 500;

/** Deletion time of an account whose deletion cannot be cancelled any more, whatever a server's clock says. */
export const AT_ONCE = 0;

/** Marks an account whose deletion is due, so that it cannot be cancelled any more; undefined if it is not due. */
export async function markToBeGone(db: Queryable, userId: string, now: number): Promise<UserRow | undefined> {
  return db
    .updateTable("users")
    .set({ delete_at: AT_ONCE })
    .where("id", "=", userId)
    .where("delete_at", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** Cancels the scheduled deletion of an account; undefined if there is none, or it is due. */
export async function unmarkToBeGone(db: Queryable, userId: string, now: number): Promise<UserRow | undefined> {
  return db
    .updateTable("users")
    .set({ delete_at: null })
    .where("id", "=", userId)
    .where("delete_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}

export async function listToBeGone(db: Queryable, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("delete_at", "is not", null)
    .where("delete_at", "<=", now)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns which of these accounts exist. */
export async function listAccounts(db: Queryable, userIds: string[]): Promise<string[]> {
  const rows = await db.selectFrom("users").select("id").where("id", "in", userIds).execute();
  return rows.map(({ id }) => id);
}

/** Counts the items of an account, without those that its owner deleted before. */
export async function countOfAccount(db: Queryable, userId: string): Promise<Record<RemovedKind, number>> {
  const chats = await db
    .selectFrom("chats")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  const messages = await db
    .selectFrom("messages")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("chat_id", "not in", (query) =>
      query.selectFrom("chats").select("id").where("user_id", "=", userId).where("deleted_at", "is not", null),
    )
    .executeTakeFirstOrThrow();
  const of = (table: "sessions" | "devices" | "security_events") =>
    db
      .selectFrom(table)
      .select(({ fn }: ExpressionBuilder<Schema, typeof table>) => fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom("mails")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("sent_at", "is", null)
    .executeTakeFirstOrThrow();
  return {
    chats: chats.count,
    messages: messages.count,
    sessions: (await of("sessions")).count,
    devices: (await of("devices")).count,
    securityEvents: (await of("security_events")).count,
    mails: waiting.count,
  };
}

/** Removes a batch of an account's messages with their dependent rows. @returns whether more may be left */
export async function removeMessages(db: Queryable, userId: string): Promise<boolean> {
  const some = await db
    .selectFrom("messages")
    .select(["id", "rev"])
    .where("user_id", "=", userId)
    .limit(BATCH)
    .execute();
  return removeMessageRun(db, some);
}

/**
 * Removes a marked account and all its remaining rows, in one transaction. One mail, the receipt, is detached from the
 * account and sent.
 * @returns whether the account still existed
 */
export async function removeAccountRows(
  database: Database,
  userId: string,
  { mailId, now }: { mailId: string; now: number },
): Promise<boolean> {
  const removal = database.transaction().execute(async (db) => {
    // Deletes chats first: changes of a chat lock in the same order, which avoids deadlocks.
    await db.deleteFrom("chats").where("user_id", "=", userId).execute();
    await releaseMail(db, { id: mailId, userId, now });
    const { numDeletedRows } = await db
      .deleteFrom("users")
      .where("id", "=", userId)
      .where("delete_at", "=", sql.lit(AT_ONCE))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotToBeGone();
    return true;
  });
  return removal.catch((error: unknown) => {
    if (error instanceof NotToBeGone) return false;
    throw error;
  });
}

/** Rolls the removal of an account's rows back. */
class NotToBeGone extends Error {}
