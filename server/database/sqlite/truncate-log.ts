import { sql } from "kysely";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Database } from "../schema.ts";

/**
 * Checkpoints SQLite's WAL into the database file and truncates it, because the WAL still contains removed data. Must
 * be called outside of transactions. PostgreSQL manages its own WAL.
 * @returns false while a reader still uses an older snapshot
 */
export async function truncateLog(database: Database): Promise<boolean> {
  if (!isOnSqlite(database)) return true;
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(database);
  return rows[0]?.busy === 0;
}
