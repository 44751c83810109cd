import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import pg from "pg";

export type Values = Record<string, SQLInputValue>;

/** Direct access to a server's database. Names of tables and columns are not escaped. */
export type PlainDatabase = {
  /** @returns any row of a table */
  first(table: string): Promise<Values>;
  insert(table: string, row: Values): Promise<unknown>;
  update(table: string, id: string, changes: Values): Promise<unknown>;
};

export type WithDatabase = { dataDir: string; postgresUrl?: string | undefined };

/** Runs `work` as one transaction on the database of a running server. */
export async function writePastServer(
  { dataDir, postgresUrl }: WithDatabase,
  work: (database: PlainDatabase) => Promise<void>,
): Promise<void> {
  if (postgresUrl === undefined) await onSqlite(join(dataDir, "parley.db"), work);
  else await onPostgres(postgresUrl, work);
}

/** `mark`: the placeholder of the parameter at an index. */
const insertion = (table: string, row: Values, mark: (index: number) => string) =>
  `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map((_, index) => mark(index))})`;
const change = (table: string, changes: Values, mark: (index: number) => string) => {
  const columns = Object.keys(changes);
  return `update ${table} set ${columns.map((column, index) => `${column} = ${mark(index)}`)} where id = ${mark(columns.length)}`;
};

async function onSqlite(file: string, work: (database: PlainDatabase) => Promise<void>): Promise<void> {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  const mark = () => "?";
  database.exec("begin immediate");
  await work({
    first: async (table) => ({ ...database.prepare(`select * from ${table} limit 1`).get() }),
    insert: async (table, row) => database.prepare(insertion(table, row, mark)).run(...Object.values(row)),
    update: async (table, id, changes) =>
      database.prepare(change(table, changes, mark)).run(...Object.values(changes), id),
  });
  database.exec("commit");
}

async function onPostgres(url: string, work: (database: PlainDatabase) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const mark = (index: number) => `$${index + 1}`;
    await client.query("begin");
    await work({
      first: async (table) => ({ ...(await client.query<Values>(`select * from ${table} limit 1`)).rows[0] }),
      insert: (table, row) => client.query(insertion(table, row, mark), Object.values(row)),
      update: (table, id, changes) => client.query(change(table, changes, mark), [...Object.values(changes), id]),
    });
    await client.query("commit");
  } finally {
    await client.end();
  }
}
