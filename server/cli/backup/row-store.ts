import { type RawBuilder, sql } from "kysely";
import { isOnSqlite } from "../../database/is-on-sqlite.ts";
import { findOwnTables } from "../../database/own-tables.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import type { Row } from "./digest.ts";
import { type CopiedTable, copiedTables } from "./tables.ts";

/** Rows per statement. SQLite allows 32,766 parameters in a statement, PostgreSQL 65,535. */
const PAGE = 100;
const TOKENS = "tokens";
const SEARCH = "search_entries";

export type TableShape = CopiedTable & { columns: string[] };

/** Returns the copied tables that a database has, with their columns sorted by name. Older schemas have fewer. */
export async function findShapes(db: Queryable): Promise<TableShape[]> {
  const found = await findOwnTables(db);
  return copiedTables.flatMap((table) => {
    const columns = found.find(({ name }) => name === table.name)?.columns.map(({ name }) => name);
    if (!columns) return [];
    const more = table.name === SEARCH && !columns.includes(TOKENS) ? [TOKENS] : [];
    return [{ ...table, columns: [...columns, ...more].sort() }];
  });
}

/**
 * Yields the rows of a table in pages. Call it in a transaction if the pages must be of one snapshot.
 * @param after key of the last row that has already been read; on SQLite only
 */
export async function* readRows(db: Queryable, shape: TableShape, after?: readonly unknown[]): AsyncGenerator<Row[]> {
  if (!isOnSqlite(db)) yield* readByCursor(db, shape);
  else yield* readByKey(db, shape, after);
}

/**
 * Reads by an unordered cursor, which executes one query plan. Keyset pagination would sort again for each page if the
 * database's collation differs from ours.
 */
async function* readByCursor(db: Queryable, shape: TableShape): AsyncGenerator<Row[]> {
  const columns = sql.join(
    shape.columns.map((name) =>
      name === TOKENS && shape.name === SEARCH
        ? sql`array_to_string(tsvector_to_array(tokens), ' ') as tokens`
        : sql.ref(name),
    ),
  );
  await sql`declare copied no scroll cursor for select ${columns} from ${sql.table(shape.name)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(PAGE)} from copied`.execute(db);
    if (rows.length > 0) yield rows.map((row) => toRow(shape, row));
    if (rows.length < PAGE) break;
  }
  await sql`close copied`.execute(db);
}

async function* readByKey(db: Queryable, shape: TableShape, from?: readonly unknown[]): AsyncGenerator<Row[]> {
  const table = sql.table(shape.name);
  const key = sql.join(shape.key.map((name) => sql.ref(`${shape.name}.${name}`)));
  const columns = sql.join(
    shape.columns.map((name) =>
      name === TOKENS && shape.name === SEARCH
        ? sql`(select tokens from search_tokens where search_tokens.rowid = search_entries.id) as tokens`
        : sql.ref(name),
    ),
  );
  for (let after = from; ; ) {
    const rest: RawBuilder<unknown> = after ? sql`where (${key}) > (${sql.join([...after])})` : sql``;
    const page = sql<
      Record<string, unknown>
    >`select ${columns} from ${table} ${rest} order by ${key} limit ${sql.lit(PAGE)}`;
    const { rows } = await page.execute(db);
    if (rows.length > 0) yield rows.map((row) => toRow(shape, row));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = shape.key.map((name) => last[name]);
  }
}

function toRow({ name: table, columns }: TableShape, row: Readonly<Record<string, unknown>>): Row {
  return columns.map((name) => {
    const value = row[name] ?? null;
    if (typeof value === "number" || value === null) return value;
    if (typeof value !== "string") throw new Error(`${table}.${name} contains a value that cannot be copied`);
    return name === TOKENS && table === SEARCH ? inOrder(value) : value;
  });
}

/** Normalises search tokens: the engines order them differently, and only one of them removes duplicates. */
function inOrder(tokens: string): string {
  return [...new Set(tokens.split(" "))].sort().join(" ");
}

/** Returns the values of a row's key. */
export function keyOf({ columns, key }: TableShape, row: Row): unknown[] {
  return key.map((name) => row[columns.indexOf(name)]);
}

/** Inserts rows unchanged; on SQLite, search tokens go into their own table. */
export async function insertRows(db: Queryable, shape: TableShape, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const tokensAt = shape.name === SEARCH ? shape.columns.indexOf(TOKENS) : -1;
  const isApart = tokensAt !== -1 && isOnSqlite(db);
  const columns = isApart ? shape.columns.filter((name) => name !== TOKENS) : shape.columns;
  const values = rows.map((row) => {
    const own = isApart ? row.filter((_, at) => at !== tokensAt) : row;
    const cells = own.map((value, at) =>
      at === tokensAt && !isApart ? sql`array_to_tsvector(${String(value ?? "").split(" ")}::text[])` : sql`${value}`,
    );
    return sql`(${sql.join(cells)})`;
  });
  const names = sql.join(columns.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(shape.name)} (${names}) values ${sql.join(values)}`.execute(db);
  if (!isApart) return;
  const idAt = shape.columns.indexOf("id");
  const words = rows.map((row) => sql`(${row[idAt]}, ${row[tokensAt]})`);
  await sql`insert into search_tokens (rowid, tokens) values ${sql.join(words)}`.execute(db);
}

/** Advances PostgreSQL's sequence of ids past the inserted rows. */
export async function continueNumbers(db: Queryable): Promise<void> {
  if (isOnSqlite(db)) return;
  await sql`select setval(pg_get_serial_sequence('search_entries', 'id'),
    greatest((select max(id) from search_entries), 1))`.execute(db);
}

/** Runs reads in one snapshot, however long they take, without blocking writers. */
export async function atOneMoment<T>(database: Database, work: (db: Queryable) => Promise<T>): Promise<T> {
  if (isOnSqlite(database)) return database.transaction().execute(work);
  return database
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (db) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
      return work(db);
    });
}
