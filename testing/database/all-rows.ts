import { sql } from "kysely";
import type { Database } from "../../server/database/schema.ts";

/** What requests may change whatever they do: counters, and when somebody or something was seen last. */
const PASSING_TABLES = new Set(["limits", "sign_in_throttles", "processes"]);
/** How SQLite stores the words of the search, which are told as those of `search_tokens`. */
const SHADOW_TABLE = /^search_tokens_/;
const PASSING_COLUMNS = new Set(["last_seen_at", "attempts", "next_attempt_at", "sent_at", "failed_at"]);

/** All that the database holds, a line for each row, to see whether anything has changed. */
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
