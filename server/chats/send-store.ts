import type { Queryable, SendRow } from "../database/schema.ts";

/** What an account's idempotency key was used for, if it was. */
export async function findSend(db: Queryable, userId: string, key: string): Promise<SendRow | undefined> {
  return db.selectFrom("sends").selectAll().where("user_id", "=", userId).where("key", "=", key).executeTakeFirst();
}

/** Uses a key up. @throws a unique violation where it was used already, also by a transaction still under way */
export async function insertSend(db: Queryable, send: SendRow): Promise<void> {
  await db.insertInto("sends").values(send).execute();
}

export async function removeSendsBefore(db: Queryable, createdBefore: number): Promise<void> {
  await db.deleteFrom("sends").where("created_at", "<", createdBefore).execute();
}
