import { sql, type TableMetadata } from "kysely";
import { isOnSqlite } from "./is-on-sqlite.ts";
import type { Queryable } from "./schema.ts";

/** Returns the schema in which unqualified tables are created; undefined on SQLite. */
export async function findOwnSchema(db: Queryable): Promise<string | undefined> {
  if (isOnSqlite(db)) return undefined;
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
  const [row] = rows;
  if (!row?.schema) throw new Error("The database has no schema in which tables can be created (search_path).");
  return row.schema;
}

/** Lists tables of that schema; without views, and without other schemas, which may have tables of the same names. */
export async function findOwnTables(db: Queryable): Promise<TableMetadata[]> {
  const schema = await findOwnSchema(db);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.filter((table) => !table.isView && (schema === undefined || table.schema === schema));
}
