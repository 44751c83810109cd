import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { Site } from "../site.ts";

/** Tables and columns that change without requests: leases, times of last use, limits, and mail delivery. */
const RESTLESS_TABLES = ["processes", "limits", "sign_in_throttles"];
const RESTLESS_COLUMNS = [
  "last_seen_at",
  "ip",
  "attempts",
  "next_attempt_at",
  "sent_at",
  "failed_at",
  "hash",
  "expires_at",
];

type Rows = Record<string, Record<string, unknown>[]>;

/** Reads all rows of all tables directly from the database. */
export async function databaseRows({ databaseUrl, dataDir }: Pick<Site, "databaseUrl" | "dataDir">): Promise<Rows> {
  return databaseUrl === undefined ? sqliteRows(join(dataDir, "parley.db")) : postgresRows(databaseUrl);
}

/** Serialises all rows for comparison, without the parts that change without requests. */
export async function databaseDump(site: Site): Promise<string> {
  const rows = Object.entries(await databaseRows(site)).filter(([table]) => !RESTLESS_TABLES.includes(table));
  const settled = rows.map(([table, all]) => [
    table,
    all.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !RESTLESS_COLUMNS.includes(name)))),
  ]);
  return JSON.stringify(settled);
}

function sqliteRows(file: string): Rows {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        database
          .prepare(`select * from "${name}"`)
          .all()
          .map((row) => ({ ...row })),
      ]),
    );
  } finally {
    database.close();
  }
}

async function postgresRows(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const named = "select tablename from pg_tables where schemaname = 'public' order by tablename";
    const { rows } = await client.query<{ tablename: string }>(named);
    const all: Rows = {};
    for (const { tablename } of rows)
      all[tablename] = (await client.query(`select * from "${tablename}" order by 1`)).rows;
    return all;
  } finally {
    await client.end();
  }
}

/** Returns the tables in which two dumps differ. */
export function changedTables(before: string, after: string): string[] {
  const earlier = new Map<string, unknown>(JSON.parse(before));
  const later: [string, unknown][] = JSON.parse(after);
  return later
    .filter(([table, rows]) => JSON.stringify(rows) !== JSON.stringify(earlier.get(table)))
    .map(([table]) => table);
}
