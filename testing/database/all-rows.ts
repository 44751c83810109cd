import { sql } from "kysely";
import type { Database } from "../../server/database/schema.ts";

/** Tables that any request may change: counters and times of last use. */
const PASSING_TABLES = new Set(["limits", "sign_in_throttles", "processes"]);
/** SQLite's internal tables of the full-text index; its content is read through `search_tokens`. */
const SHADOW_TABLE = /^search_tokens_/;
const PASSING_COLUMNS = new Set(["last_seen_at", "attempts", "next_attempt_at", "sent_at", "failed_at"]);

/** Returns a line for each row of the database, to detect changes. */
export async function allRows(database: Database): Promise<string[]> {
  const tables = await database.introspection.getTables();
  const lines = await Promise.all(
    tables
      .filter(({ name }) => !PASSING_TABLES.has(name) && !SHADOW_TABLE.test(name))
      .map(async ({ name }) => {
        const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(database);
        return rows.map(
          (row) => `${name} ${JSON.stringify(row, (key, value) => (PASSING_COLUMNS.has(key) ? 0 : value))}`,
        );
      }),
  );
  return lines.flat().sort();
}
