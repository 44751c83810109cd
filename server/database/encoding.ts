import { sql } from "kysely";
import { isOnSqlite } from "./is-on-sqlite.ts";
import type { Queryable } from "./schema.ts";

const HOLDS_ALL = "UTF8";

/** @throws with a sentence for the console if a PostgreSQL database's encoding cannot store every text */
export async function refuseOtherEncoding(db: Queryable): Promise<void> {
  if (isOnSqlite(db)) return;
  const { rows } = await sql<{ encoding: string }>`select pg_encoding_to_char(encoding) as encoding from pg_database
    where datname = current_database()`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding === HOLDS_ALL) return;
  throw new Error(
    `The database has the encoding ${encoding}, which cannot store every text: create it again with ` +
      `“create database … encoding '${HOLDS_ALL}' template template0”.`,
  );
}
