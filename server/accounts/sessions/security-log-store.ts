import { DAY, HOUR } from "#contract/limits.ts";
import type { Queryable, SecurityEventRow } from "../../database/schema.ts";

export async function insertSecurityEvent(db: Queryable, event: SecurityEventRow): Promise<void> {
  await db.insertInto("security_events").values(event).execute();
}

/** Newest first. */
export async function listSecurityEvents(
  db: Queryable,
  userId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<SecurityEventRow[]> {
  let query = db.selectFrom("security_events").selectAll().where("user_id", "=", userId);
  if (before !== undefined) query = query.where("id", "<", before);
  return query.orderBy("id", "desc").limit(limit).execute();
}

/** Maximum of events of each kind per account, and their lifetime. */
const MAX_EVENTS = 200;
const LIFE_MS = 365 * DAY;
/** Twice the time between two sweeps: only accounts with events since then can be over the maximum. */
const RECENT_MS = 2 * HOUR;

/**
 * Removes events older than a year, and all but the last events of each kind of each account. An attacker who repeats
 * one action evicts no events of other kinds.
 */
export async function removeOldSecurityEvents(db: Queryable, now: number): Promise<void> {
  await db
    .deleteFrom("security_events")
    .where("at", "<", now - LIFE_MS)
    .execute();
  const recent = await db
    .selectFrom("security_events")
    .select("user_id")
    .where("at", ">", now - RECENT_MS)
    .groupBy("user_id")
    .execute();
  for (const { user_id: userId } of recent) await removeCrowdedOut(db, userId);
}

async function removeCrowdedOut(db: Queryable, userId: string): Promise<void> {
  await db
    .deleteFrom("security_events")
    .where("id", "in", (query) =>
      query
        .selectFrom((ranked) =>
          ranked
            .selectFrom("security_events")
            .select("id")
            .select(({ fn }) =>
              fn
                .agg<number>("row_number")
                .over((over) => over.partitionBy("kind").orderBy("id", "desc"))
                .as("place"),
            )
            .where("user_id", "=", userId)
            .as("places"),
        )
        .select("places.id")
        .where("places.place", ">", MAX_EVENTS),
    )
    .execute();
}
