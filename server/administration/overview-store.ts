import { sql } from "kysely";
import { DAY } from "#contract/limits.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import type { Queryable } from "../database/schema.ts";

/** Counts accounts; active ones by their last use since two times. */
export async function sumAccounts(db: Queryable, { weekAgo, monthAgo }: { weekAgo: number; monthAgo: number }) {
  return db
    .selectFrom("users")
    .select(({ fn }) => [
      fn.countAll<number>().as("total"),
      fn.count<number>("verified_at").as("verified"),
      fn.count<number>("disabled_at").as("disabled"),
      fn.countAll<number>().filterWhere("last_seen_at", ">=", weekAgo).as("activeInWeek"),
      fn.countAll<number>().filterWhere("last_seen_at", ">=", monthAgo).as("activeInMonth"),
      sql<number>`cast(coalesce(sum(stored_bytes), 0) as double precision)`.as("storedBytes"),
    ])
    .executeTakeFirstOrThrow();
}

/** Calls on a day (days since 1970, UTC). Cost in 1e-9 US dollars; null if no call has a price. */
export type DaySums = { day: number; replies: number; inputTokens: number; outputTokens: number; cost: number | null };

/** Day of a call. The index of calls by day is of this very expression. */
const day = sql<number>`at / ${sql.lit(DAY)}`;

/** Sums the calls of all accounts by day, from a day on; days without calls are left out. */
export async function sumCallsByDay(db: Queryable, from: number): Promise<DaySums[]> {
  const sum = (column: "input_tokens" | "output_tokens") =>
    sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as double precision)`;
  return db
    .selectFrom("model_calls")
    .select([
      day.as("day"),
      // Counting different messages instead of calls would take twice as long.
      sql<number>`count(case when purpose in ('reply', 'temporary') and output_tokens > 0 then 1 end)`.as("replies"),
      sum("input_tokens").as("inputTokens"),
      sum("output_tokens").as("outputTokens"),
      sql<number | null>`cast(sum(cost_nano_usd) as double precision)`.as("cost"),
    ])
    .where(day, ">=", from)
    .groupBy(day)
    .execute();
}

/** Returns the size of the database in bytes. */
export async function readDatabaseSize(db: Queryable): Promise<number> {
  const query = isOnSqlite(db)
    ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  const { rows } = await query.execute(db);
  return Number(rows[0]?.bytes);
}
