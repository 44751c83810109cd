import { randomUUID } from "node:crypto";
import process from "node:process";
import pg from "pg";

const SERVER_URL = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** The tests run on PostgreSQL, which several servers may share. */
export const isOnPostgres = process.env.TEST_DATABASE === "postgres";

/** Environment for a server on a database of its own, which goes with the disposal. */
export type TestDatabase = AsyncDisposable & { env: Record<string, string> };

/** SQLite in the test's data folder, or a new PostgreSQL database where `TEST_DATABASE=postgres`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!isOnPostgres) return { env: {}, [Symbol.asyncDispose]: async () => undefined };
  const { url, [Symbol.asyncDispose]: drop } = await createPostgresDatabase();
  return { env: { DATABASE_URL: url }, [Symbol.asyncDispose]: drop };
}

/**
 * A new, empty database on the PostgreSQL that serves the tests; disposing drops it, whoever is connected.
 * @param like what follows `create database NAME`
 */
export async function createPostgresDatabase(like = ""): Promise<AsyncDisposable & { name: string; url: string }> {
  const name = `parley_test_${randomUUID().replaceAll("-", "")}`;
  await onServer(`create database ${name} ${like}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return { name, url: url.href, [Symbol.asyncDispose]: () => onServer(`drop database if exists ${name} with (force)`) };
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** What makes a database that cannot hold every text. */
export const inLatin1 = "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0";
