import type { Queryable } from "../../database/schema.ts";

/** Stores when a lost second factor ends; an earlier time stays. @returns the time */
export async function insertLoss(db: Queryable, userId: string, endsAt: number): Promise<number> {
  await db
    .insertInto("lost_factors")
    .values({ user_id: userId, ends_at: endsAt })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
  return (await findLoss(db, userId)) ?? endsAt;
}

/** Returns when the account's second factor ends because it is lost. */
export async function findLoss(db: Queryable, userId: string): Promise<number | undefined> {
  const row = await db.selectFrom("lost_factors").select("ends_at").where("user_id", "=", userId).executeTakeFirst();
  return row?.ends_at;
}

/** Stops the end of a second factor; `false` if it was not to end. */
export async function deleteLoss(db: Queryable, userId: string): Promise<boolean> {
  const gone = await db
    .deleteFrom("lost_factors")
    .where("user_id", "=", userId)
    .returning("user_id")
    .executeTakeFirst();
  return gone !== undefined;
}
