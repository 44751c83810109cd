import { DAY } from "#contract/limits.ts";
import { prepared } from "../../database/prepared.ts";
import type { Queryable } from "../../database/schema.ts";

const count = prepared((db, { userId, day }: { userId: string; day: number }) =>
  db
    .insertInto("daily_replies")
    .values({ user_id: userId, day, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "day"]).doUpdateSet((eb) => ({ count: eb("daily_replies.count", "+", 1) })),
    )
    .returning("count"),
);

/** Increments the account's number of replies on the day of `now`. @returns the new number */
export async function countReply(db: Queryable, userId: string, now: number): Promise<number> {
  const [row] = await count(db, { userId, day: Math.floor(now / DAY) });
  if (!row) throw new Error("A counted reply has no count");
  return row.count;
}

export async function removeDailyRepliesBefore(db: Queryable, now: number): Promise<void> {
  await db
    .deleteFrom("daily_replies")
    .where("day", "<", Math.floor(now / DAY))
    .execute();
}
