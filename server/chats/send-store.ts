import type { Queryable, SendRow } from "../database/schema.ts";

/** Finds the request that used an account's idempotency key. */
export async function findSend(db: Queryable, userId: string, key: string): Promise<SendRow | undefined> {
  return db.selectFrom("sends").selectAll().where("user_id", "=", userId).where("key", "=", key).executeTakeFirst();
}

/** Stores the use of a key. @throws a unique violation if it was used before, also by a concurrent transaction */
export async function insertSend(db: Queryable, send: SendRow): Promise<void> {
  await db.insertInto("sends").values(send).execute();
}

export async function removeSendsBefore(db: Queryable, createdBefore: number): Promise<void> {
  await db.deleteFrom("sends").where("created_at", "<", createdBefore).execute();
}
