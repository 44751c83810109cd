import { SqliteAdapter } from "kysely";
import type { Queryable } from "./schema.ts";

/** Which of the two engines a database is on. */
export function isOnSqlite(db: Queryable): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}
