import { randomUUID } from "node:crypto";
import process from "node:process";
import pg from "pg";

const SERVER_URL = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** Set by `migrated-database.ts` for a run of Vitest: the prefix of its databases, and a template with the schema. */
const { TEST_DATABASE_RUN: run, TEST_DATABASE_TEMPLATE: template } = process.env;
let dropping: Promise<unknown> = Promise.resolve();

/** Whether the tests run on PostgreSQL, which several servers can share. */
export const isOnPostgres = process.env.TEST_DATABASE === "postgres";

/** Environment for a server with a database of its own, which disposal removes. */
export type TestDatabase = AsyncDisposable & { env: Record<string, string> };

/**
 * Creates SQLite in the test's data folder, or with `TEST_DATABASE=postgres` a new PostgreSQL database.
 * @param isMigrated whether the database may be copied from the migrated template
 */
export async function createTestDatabase({ isMigrated = false } = {}): Promise<TestDatabase> {
  if (!isOnPostgres) return { env: {}, [Symbol.asyncDispose]: async () => undefined };
  const like = isMigrated && template !== undefined ? `template ${template}` : "";
  const { url, [Symbol.asyncDispose]: drop } = await createPostgresDatabase(like);
  return { env: { DATABASE_URL: url }, [Symbol.asyncDispose]: drop };
}

/**
 * Creates an empty database on the tests' PostgreSQL. Disposal drops it in spite of open connections.
 * @param like options after `create database NAME`
 */
export async function createPostgresDatabase(
  like = "",
  runName = run,
): Promise<AsyncDisposable & { name: string; url: string }> {
  const name = `${prefixOf(runName)}${randomUUID().replaceAll("-", "")}`;
  await onServer(`create database ${name} ${like}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return { name, url: url.href, [Symbol.asyncDispose]: () => drop(name) };
}

/** PostgreSQL writes a checkpoint before it drops. Tests of a Vitest run do not wait: the teardown drops the rest. */
async function drop(name: string): Promise<void> {
  const dropped = dropping.then(() => onServer(`drop database if exists ${name} with (force)`));
  dropping = dropped.catch(() => undefined);
  if (run === undefined) await dropped;
}

/** Drops all databases of a run. */
export async function dropDatabasesOf(runName: string): Promise<void> {
  const rows = await onServer(`select datname from pg_database where starts_with(datname, '${prefixOf(runName)}')`);
  for (const { datname } of rows) await onServer(`drop database if exists ${datname} with (force)`);
}

function prefixOf(runName: string | undefined): string {
  return runName === undefined ? "parley_test_" : `parley_test_${runName}_`;
}

async function onServer(sql: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: SERVER_URL });
  await client.connect();
  try {
    return (await client.query<{ datname: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Options of a database that cannot store all Unicode text. */
export const inLatin1 = "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0";
