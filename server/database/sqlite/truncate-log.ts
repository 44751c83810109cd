import { sql } from "kysely";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Database } from "../schema.ts";

/**
 * Puts what is in SQLite's log of changes into the file itself and empties it, as it still holds what was removed from
 * the database; outside of transactions. PostgreSQL looks after its own.
 * @returns whether that is done: not while somebody still reads what the file held before
 */
export async function truncateLog(database: Database): Promise<boolean> {
  if (!isOnSqlite(database)) return true;
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(database);
  return rows[0]?.busy === 0;
}
