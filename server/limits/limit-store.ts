import { sql } from "kysely";
import type { Queryable } from "../database/schema.ts";

/** A limit of `times` per window, counted under a key. */
export type LimitWindow = { key: string; times: number; windowMs: number; now: number };
export type Count = { isAllowed: boolean; resetsAt: number };

/**
 * Counts one in the key's window, or begins a new window if it is over. Refused attempts are not counted, so that an
 * attempt taken back makes room. One atomic statement: of many concurrent attempts, exactly the allowed number passes.
 */
export async function countOne(db: Queryable, counted: LimitWindow): Promise<Count> {
  const { key, times, windowMs, now } = counted;
  const isOver = sql<boolean>`limits.resets_at <= ${now}`;
  const row = await db
    .insertInto("limits")
    .values({ key, count: 1, resets_at: now + windowMs })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet(({ ref, eb }) => ({
          count: eb
            .case()
            .when(isOver)
            .then(1)
            .else(sql<number>`${ref("limits.count")} + 1`)
            .end(),
          resets_at: eb
            .case()
            // A clock that was set back must not lengthen the wait.
            .when(sql<boolean>`${isOver} or limits.resets_at > ${now + windowMs}`)
            .then(now + windowMs)
            .else(ref("limits.resets_at"))
            .end(),
        }))
        .where(({ eb, or }) => or([isOver, eb("limits.count", "<", times)])),
    )
    .returning("resets_at")
    .executeTakeFirst();
  return row
    ? { isAllowed: true, resetsAt: row.resets_at }
    : { isAllowed: false, resetsAt: await findEnd(db, counted) };
}

/** Returns when a full window ends. */
async function findEnd(db: Queryable, { key, windowMs, now }: LimitWindow): Promise<number> {
  const latest = now + windowMs;
  const row = await db.selectFrom("limits").select("resets_at").where("key", "=", key).executeTakeFirst();
  // The sweep has removed it meanwhile.
  if (!row) return now;
  if (row.resets_at <= latest) return row.resets_at;
  // The clock was set back.
  await db
    .updateTable("limits")
    .set({ resets_at: latest })
    .where("key", "=", key)
    .where("resets_at", ">", latest)
    .execute();
  return latest;
}

/** Returns when the key's window ends if it is full; otherwise null. Counts nothing. */
export async function findFull(db: Queryable, { key, times, windowMs, now }: LimitWindow): Promise<number | null> {
  const query = db.selectFrom("limits").select("resets_at").where("key", "=", key).where("count", ">=", times);
  const full = await query.executeTakeFirst();
  return full && full.resets_at > now ? Math.min(full.resets_at, now + windowMs) : null;
}

/** Returns whether something was counted in a window that has not ended. */
export async function wasCounted(db: Queryable, key: string, now: number, windowMs: number): Promise<boolean> {
  const row = await db.selectFrom("limits").select("resets_at").where("key", "=", key).executeTakeFirst();
  return row !== undefined && row.resets_at > now && row.resets_at <= now + windowMs;
}

/** Takes back a count of {@link countOne} while its window lasts. */
export async function countBack(db: Queryable, key: string, resetsAt: number): Promise<void> {
  await db
    .updateTable("limits")
    .set(({ eb }) => ({ count: eb("count", "-", 1) }))
    .where("key", "=", key)
    .where("resets_at", "=", resetsAt)
    .where("count", ">", 0)
    .execute();
}

export async function removeLapsedLimits(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("limits").where("resets_at", "<=", now).execute();
}
