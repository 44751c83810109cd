import { sql } from "kysely";
import type { LimitRow, Queryable } from "../database/schema.ts";

/** Counts one more in the key's window, which begins anew where it is over. One statement: nobody slips in between. */
export async function countOne(db: Queryable, key: string, now: number, windowMs: number): Promise<LimitRow> {
  return db
    .insertInto("limits")
    .values({ key, count: 1, resets_at: now + windowMs })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet(({ ref, eb }) => ({
        count: eb
          .case()
          .when(ref("limits.resets_at"), "<=", now)
          .then(1)
          .else(sql<number>`${ref("limits.count")} + 1`)
          .end(),
        resets_at: eb
          .case()
          // A clock that was set back must not lengthen the wait.
          .when(sql<boolean>`${ref("limits.resets_at")} <= ${now} or ${ref("limits.resets_at")} > ${now + windowMs}`)
          .then(now + windowMs)
          .else(ref("limits.resets_at"))
          .end(),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether something was counted in a window that is not over. */
export async function wasCounted(db: Queryable, key: string, now: number, windowMs: number): Promise<boolean> {
  const row = await db.selectFrom("limits").select("resets_at").where("key", "=", key).executeTakeFirst();
  return row !== undefined && row.resets_at > now && row.resets_at <= now + windowMs;
}

/** Takes back what {@link countOne} counted. */
export async function countBack(db: Queryable, key: string): Promise<void> {
  await db
    .updateTable("limits")
    .set(({ eb }) => ({ count: eb("count", "-", 1) }))
    .where("key", "=", key)
    .where("count", ">", 0)
    .execute();
}

export async function removeLapsedLimits(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("limits").where("resets_at", "<=", now).execute();
}
