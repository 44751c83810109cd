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
  const { times, now } = counted;
  const row = await countingOf(db, counted, 1)
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet(sumOf(counted, 1))
        .where(({ eb, or }) => or([isOver(now), eb("limits.count", "<", times)])),
    )
    .returning("resets_at")
    .executeTakeFirst();
  return row
    ? { isAllowed: true, resetsAt: row.resets_at }
    : { isAllowed: false, resetsAt: await findEnd(db, counted) };
}

/** Adds an amount to the key's window, or begins a new window with it, even if the window is full. */
export async function addCount(db: Queryable, counted: LimitWindow, amount: number): Promise<void> {
  await countingOf(db, counted, amount)
    .onConflict((conflict) => conflict.column("key").doUpdateSet(sumOf(counted, amount)))
    .execute();
}

const countingOf = (db: Queryable, { key, windowMs, now }: LimitWindow, amount: number) =>
  db.insertInto("limits").values({ key, count: amount, resets_at: now + windowMs });

const isOver = (now: number) => sql<boolean>`limits.resets_at <= ${now}`;

/** Values of a window after an amount was added, or of the next one. */
const sumOf = ({ windowMs, now }: LimitWindow, amount: number) => ({
  count: sql<number>`case when ${isOver(now)} then ${amount} else limits.count + ${amount} end`,
  // A clock that was set back must not lengthen the wait.
  resets_at: sql<number>`case when ${isOver(now)} or limits.resets_at > ${now + windowMs}
    then ${now + windowMs} else limits.resets_at end`,
});

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

/** Returns what is counted in the key's window; 0 after its end. */
export async function findAmount(db: Queryable, key: string, now: number): Promise<number> {
  const row = await db.selectFrom("limits").select(["count", "resets_at"]).where("key", "=", key).executeTakeFirst();
  return row !== undefined && row.resets_at > now ? row.count : 0;
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
