import { sql } from "kysely";
import type { MessageRow, Queryable } from "../../database/schema.ts";

/** The database's clock: processes whose own clocks differ agree on it. For PostgreSQL. */
const databaseNow = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** Says that a process is alive, and will be for so long (ms). */
export async function renewLease(db: Queryable, processId: string, leaseMs: number): Promise<void> {
  const lease_until = sql<number>`${databaseNow} + ${sql.lit(leaseMs)}`;
  await db
    .insertInto("processes")
    .values({ id: processId, lease_until })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ lease_until }))
    .execute();
}

export async function endLease(db: Queryable, processId: string): Promise<void> {
  await db.deleteFrom("processes").where("id", "=", processId).execute();
}

/** Replies in state `writing` whose owner's lease has run out; those of `processId` are its own business. */
export async function listOrphans(db: Queryable, processId: string): Promise<MessageRow[]> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("state", "=", sql.lit("writing"))
    .where(({ eb, or, not, exists, selectFrom }) =>
      or([
        eb("owner", "is", null),
        eb.and([
          eb("owner", "!=", processId),
          not(
            exists(
              selectFrom("processes")
                .select("processes.id")
                .whereRef("processes.id", "=", "messages.owner")
                .where("lease_until", ">", databaseNow),
            ),
          ),
        ]),
      ]),
    )
    .execute();
}

/** Replies in state `writing` that `processId` has begun in this life or an earlier one. */
export async function listOwned(db: Queryable, processId: string): Promise<MessageRow[]> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("state", "=", sql.lit("writing"))
    .where("owner", "=", processId)
    .execute();
}

/** Processes that have been silent for so long (ms) that nothing of theirs is left. */
export async function removeLapsedLeases(db: Queryable, silentMs: number): Promise<void> {
  await db
    .deleteFrom("processes")
    .where("lease_until", "<", sql<number>`${databaseNow} - ${sql.lit(silentMs)}`)
    .execute();
}
