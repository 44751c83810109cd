import { sql } from "kysely";
import { databaseNow } from "../../database/database-now.ts";
import { isOnSqlite } from "../../database/is-on-sqlite.ts";
import type { Queryable } from "../../database/schema.ts";

/** Returns the version of the database's program. */
export async function readEngineVersion(db: Queryable): Promise<string> {
  const query = isOnSqlite(db)
    ? sql<{ version: string }>`select sqlite_version() as version`
    : sql<{ version: string }>`select current_setting('server_version') as version`;
  const { rows } = await query.execute(db);
  return rows[0]?.version ?? "";
}

/** Returns the clock of PostgreSQL (Unix time in ms). */
export async function readDatabaseClock(db: Queryable): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${databaseNow} as now`.execute(db);
  return Number(rows[0]?.now);
}
