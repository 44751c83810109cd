import { SqliteAdapter } from "kysely";
import type { Queryable } from "./schema.ts";

/** Returns whether the database is SQLite; otherwise it is PostgreSQL. */
export function isOnSqlite(db: Queryable): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}
