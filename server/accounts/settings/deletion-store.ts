import { type ExpressionBuilder, sql } from "kysely";
import type { Database, Queryable, Schema, UserRow } from "../../database/schema.ts";
import { releaseMail } from "../../mail/mail-store.ts";
import type { RemovedKind } from "../../mail/notice-letters.ts";

/** So many messages at a time: neither may SQLite hold the process up, nor PostgreSQL take longer than it is given. */
const BATCH = 500;

/** As the time of an account's end: whatever any server's clock says, nobody keeps it any more. */
export const AT_ONCE = 0;

/** Marks an account whose time is over, so that nobody can keep it any more; nothing where it is not. */
export async function markToBeGone(db: Queryable, userId: string, now: number): Promise<UserRow | undefined> {
  return db
    .updateTable("users")
    .set({ delete_at: AT_ONCE })
    .where("id", "=", userId)
    .where("delete_at", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** Takes the mark of its deletion from an account; nothing where it has none, or its time is over. */
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

/** Which of these accounts there are. */
export async function listAccounts(db: Queryable, userIds: string[]): Promise<string[]> {
  const rows = await db.selectFrom("users").select("id").where("id", "in", userIds).execute();
  return rows.map(({ id }) => id);
}

/** How much there is of an account; what it deleted itself a moment ago is not counted. */
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

/** Removes some messages of an account, and what hangs on them. @returns whether there may be more */
export async function removeMessages(db: Queryable, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("messages")
    .where("id", "in", (query) => query.selectFrom("messages").select("id").where("user_id", "=", userId).limit(BATCH))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Removes an account that goes at once, and all that is left of it, but for one mail, which becomes nobody's and is sent;
 * all of it or nothing.
 * @returns whether it was still there
 */
export async function removeAccountRows(
  database: Database,
  userId: string,
  { mailId, now }: { mailId: string; now: number },
): Promise<boolean> {
  const removal = database.transaction().execute(async (db) => {
    // The chats first, as whoever changes one does: two that lock in different orders may wait for each other.
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

/** Takes the removal of what belongs to an account back. */
class NotToBeGone extends Error {}
