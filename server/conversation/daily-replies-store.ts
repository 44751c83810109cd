import { DAY } from "#contract/limits.ts";
import type { Queryable } from "../database/schema.ts";

/** Counts one more reply of the account for the day of `now`. @returns how many there are then */
export async function countReply(db: Queryable, userId: string, now: number): Promise<number> {
  const { count } = await db
    .insertInto("daily_replies")
    .values({ user_id: userId, day: Math.floor(now / DAY), count: 1 })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "day"]).doUpdateSet((eb) => ({ count: eb("daily_replies.count", "+", 1) })),
    )
    .returning("count")
    .executeTakeFirstOrThrow();
  return count;
}

export async function removeDailyRepliesBefore(db: Queryable, now: number): Promise<void> {
  await db
    .deleteFrom("daily_replies")
    .where("day", "<", Math.floor(now / DAY))
    .execute();
}
