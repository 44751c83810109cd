import type { Queryable } from "../database/schema.ts";
import type { AuditEventRow, AuditHeadRow } from "../database/tables/audit-tables.ts";
import { CHAIN_START } from "./audit-chain.ts";

const HEAD = 1;

/** Locks the end of the chain until the end of the transaction. @returns the end */
export async function holdHead(db: Queryable): Promise<AuditHeadRow> {
  return db
    .insertInto("audit_head")
    .values({ id: HEAD, seq: 0, hash: CHAIN_START })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ id: HEAD }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the end of the chain; undefined before the first row. */
export async function findHead(db: Queryable): Promise<AuditHeadRow | undefined> {
  return db.selectFrom("audit_head").selectAll().where("id", "=", HEAD).executeTakeFirst();
}

/** Appends a row to the chain, whose end the transaction has locked. */
export async function appendEvent(db: Queryable, event: AuditEventRow): Promise<void> {
  await db.insertInto("audit_events").values(event).execute();
  await db.updateTable("audit_head").set({ seq: event.seq, hash: event.hash }).where("id", "=", HEAD).execute();
}

/** Lists rows after `seq`, oldest first. */
export async function listEventsAfter(db: Queryable, seq: number, limit: number): Promise<AuditEventRow[]> {
  return db.selectFrom("audit_events").selectAll().where("seq", ">", seq).orderBy("seq").limit(limit).execute();
}
