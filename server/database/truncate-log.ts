import { sql } from "kysely";
import { isOnSqlite } from "./is-on-sqlite.ts";
import type { Database } from "./schema.ts";

/**
 * Empties SQLite's log of changes, which still holds what was removed from the database itself; outside of
 * transactions. PostgreSQL looks after its own.
 */
export async function truncateLog(database: Database): Promise<void> {
  if (!isOnSqlite(database)) return;
  await sql`pragma wal_checkpoint(truncate)`.execute(database);
}
