import { sql } from "kysely";
import { RUNNING } from "#contract/conversation/reply-state.ts";
import { databaseNow } from "../../database/database-now.ts";
import type { MessageRow, Queryable } from "../../database/schema.ts";

/** Renews the lease of a process for `leaseMs`. */
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

/** Returns those of some processes whose lease has not expired. */
export async function listLeased(db: Queryable, owners: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("processes")
    .select("id")
    .where("id", "in", owners)
    .where("lease_until", ">", databaseNow)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Lists replies in state `writing` whose owner's lease has expired, except those of `processId`. */
export async function listOrphans(db: Queryable, processId: string): Promise<MessageRow[]> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("state", "=", sql.lit(RUNNING))
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

/** Lists replies in state `writing` that `processId` has started, before or after a restart. */
export async function listOwned(db: Queryable, processId: string): Promise<MessageRow[]> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("state", "=", sql.lit(RUNNING))
    .where("owner", "=", processId)
    .execute();
}

/** Removes leases that were not renewed for `silentMs`, after which their processes own no replies. */
export async function removeLapsedLeases(db: Queryable, silentMs: number): Promise<void> {
  await db
    .deleteFrom("processes")
    .where("lease_until", "<", sql<number>`${databaseNow} - ${sql.lit(silentMs)}`)
    .execute();
}
