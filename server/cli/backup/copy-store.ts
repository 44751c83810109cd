import { type RawBuilder, sql } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { isOnSqlite } from "../../database/is-on-sqlite.ts";
import { COPY_TABLE, FIRST_MIGRATION, findSchemaState } from "../../database/migrate.ts";
import { findOwnSchema, findOwnTables } from "../../database/own-tables.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import { copiedTables, credentialTables, passingTables } from "./tables.ts";

const PROCESSES = "processes";
const progress = sql.table(COPY_TABLE);

/** Progress of the copy of one table: the key of the last copied row, and whether all rows are copied. */
export type Progress = { lastKey: unknown[] | undefined; isDone: boolean };

async function hasTable(db: Queryable, name: string): Promise<boolean> {
  return (await findOwnTables(db)).some((table) => table.name === name);
}

/** Returns the source of the unfinished copy into a database; `undefined` if there is none. */
export async function findCopySource(db: Queryable): Promise<string | undefined> {
  if (!(await hasTable(db, COPY_TABLE))) return undefined;
  const { rows } = await sql<{ source: string }>`select source from ${progress} where table_name = ''`.execute(db);
  return rows[0]?.source ?? "";
}

/** Marks a database as the target of a copy. No server starts on it before {@link endCopy}. */
export async function beginCopy(db: Queryable, source: string): Promise<void> {
  await sql`create table ${progress} (table_name text primary key, source text not null, last_key text,
    is_done integer not null)`.execute(db);
  await sql`insert into ${progress} (table_name, source, is_done) values ('', ${source}, 0)`.execute(db);
}

export async function readProgress(db: Queryable, table: string): Promise<Progress> {
  const { rows } = await sql<{
    last_key: string | null;
    is_done: number;
  }>`select last_key, is_done from ${progress} where table_name = ${table}`.execute(db);
  const [row] = rows;
  const lastKey: unknown = row?.last_key ? JSON.parse(row.last_key) : undefined;
  return { lastKey: Array.isArray(lastKey) ? lastKey : undefined, isDone: row?.is_done === 1 };
}

/** Stores the progress of a table; call it in the transaction that inserts the rows. */
export async function noteProgress(db: Queryable, table: string, { lastKey, isDone }: Progress): Promise<void> {
  const key = lastKey === undefined ? null : JSON.stringify(lastKey);
  const done = isDone ? 1 : 0;
  await sql`insert into ${progress} (table_name, source, last_key, is_done) values (${table}, '', ${key}, ${done})
    on conflict (table_name) do update set last_key = excluded.last_key, is_done = excluded.is_done`.execute(db);
}

export async function endCopy(db: Queryable): Promise<void> {
  await sql`drop table ${progress}`.execute(db);
}

/** Counts the accounts of a database; `undefined` if it has no table of accounts. */
export async function countAccounts(db: Queryable): Promise<number | undefined> {
  if (!(await hasTable(db, "users"))) return undefined;
  const { rows } = await sql<{ accounts: number }>`select count(*) as accounts from users`.execute(db);
  return rows[0]?.accounts;
}

/** Whether servers use a PostgreSQL database. Each server has a lease, measured by the database's clock. */
export async function isServed(db: Queryable): Promise<boolean> {
  if (isOnSqlite(db) || !(await hasTable(db, PROCESSES))) return false;
  const { rows } = await sql`select 1 from processes
    where lease_until > (extract(epoch from clock_timestamp()) * 1000)::bigint limit 1`.execute(db);
  return rows.length > 0;
}

const ours: readonly string[] = [
  ...copiedTables.map(({ name }) => name),
  ...passingTables,
  ...[COPY_TABLE, DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE],
];

/** Returns the tables that a copy would drop although no version of this program created them. */
export async function findForeignTables(db: Queryable): Promise<string[]> {
  const { applied, unknown, isHalfCopied } = await findSchemaState(db);
  if (isHalfCopied || (applied[0] === FIRST_MIGRATION && unknown.length === 0)) return [];
  const found = (await findOwnTables(db)).map(({ name }) => name).filter((name) => ours.includes(name));
  // An interrupted first start has created only these tables.
  const isEmpty = applied.length === 0 && found.every((name) => name.startsWith(DEFAULT_MIGRATION_TABLE));
  return isEmpty ? [] : found;
}

/**
 * Returns the names of our tables under which a PostgreSQL database has other objects, such as views, sequences and
 * types. This program never creates such objects under these names.
 */
export async function findNamesInTheWay(db: Queryable): Promise<string[]> {
  const schema = await findOwnSchema(db);
  if (schema === undefined) return [];
  const names = sql.join(ours);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
      where relnamespace = quote_ident(${schema})::regnamespace and relkind not in ('r', 'p') and relname in (${names})
    union select typname from pg_type
      where typnamespace = quote_ident(${schema})::regnamespace and typrelid = 0 and typname in (${names})
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Prevents servers from starting until the end of the transaction, so that the result of {@link isServed} remains
 * valid.
 */
export async function lockServers(db: Queryable): Promise<void> {
  if (await hasTable(db, PROCESSES)) await sql`lock table ${sql.table(PROCESSES)} in access exclusive mode`.execute(db);
}

/**
 * Drops all tables of this program in a PostgreSQL database with one statement, and nothing else.
 * @throws if an object of another program depends on them
 */
export async function dropEverything(db: Queryable): Promise<void> {
  const found = (await findOwnTables(db)).filter(({ name }) => ours.includes(name));
  if (found.length === 0) return;
  const tables = found.map(({ name, schema }) => (schema === undefined ? sql.table(name) : sql.id(schema, name)));
  await sql`drop table ${sql.join(tables)}`.execute(db);
}

const endings = {
  delete: (table) => sql`delete from ${table}`,
  revoke: (table, now) => sql`update ${table} set revoked_at = ${now} where revoked_at is null`,
  mark: (table, now) => sql`update ${table} set restored_at = ${now}`,
} satisfies Record<string, (table: RawBuilder<unknown>, now: number) => RawBuilder<unknown>>;

/** Ends all credentials of {@link credentialTables}, as far as the schema has them. `now`: Unix time in ms. */
export async function endCredentials(db: Queryable, now: number): Promise<void> {
  for (const [name, how] of Object.entries(credentialTables)) {
    if (!(await hasTable(db, name))) continue;
    const table = sql.table(name);
    await endings[how](table, now).execute(db);
  }
}

/** Removes attached files by their keys, also from the messages that name them. */
export async function removeFiles(database: Database, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await database.transaction().execute(async (db) => {
    for (const key of keys) await db.deleteFrom("files").where("key", "=", key).execute();
  });
}

/** Updates PostgreSQL's planner statistics. */
export async function analyze(db: Queryable): Promise<void> {
  await sql`analyze`.execute(db);
}
