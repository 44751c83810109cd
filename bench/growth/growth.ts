import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { signUp, startParley } from "../harness/parley.ts";
import { reachablePostgres } from "../harness/reachable-postgres.ts";
import { startWordSource } from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";
import { fillPostgres, fillSqlite } from "./fill-messages.ts";
import { type Filled, measureQueries, measureStreamBesideSearches, PACE_MS } from "./search.ts";

const ACCOUNTS = 1000;
const ROUNDS = 30;
const ALLOWED_PAGE_MS = 20;

/** Measures history, chat and search among this many messages, half of them of one account, on both databases. */
export async function* measureGrowth(sizes: readonly number[]): AsyncGenerator<Row[]> {
  for (const size of sizes) yield await measureSize(size);
  for (const size of sizes) {
    const database = await reachablePostgres();
    if (!database) break;
    await using _database = database;
    yield await measureSize(size, database.url);
  }
}

async function measureSize(size: number, postgresUrl?: string): Promise<Row[]> {
  await using words = await startWordSource({ words: 300, paceMs: PACE_MS });
  await using parley = await startParley({
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${words.url}/v1`,
    ...(postgresUrl !== undefined && { DATABASE_URL: postgresUrl }),
  });
  const name = `${size.toLocaleString("en")} messages, ${postgresUrl === undefined ? "SQLite" : "PostgreSQL"}`;
  const token = await signUp(parley);
  const me = await fetch(`${parley.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  const { id: userId } = (await me.json()) as { id: string };
  const file = join(parley.dataDir, "parley.db");
  const accounts = [userId, ...otherRows];
  if (postgresUrl === undefined) {
    addOthersOnSqlite(file);
    await fillSqlite(file, accounts, size);
  } else {
    await addOthersOnPostgres(postgresUrl);
    await fillPostgres(postgresUrl, accounts, size);
  }
  const filled: Filled = { name, parley, postgresUrl, userId, token };
  const bytes = postgresUrl === undefined ? sizeOnSqlite(file) : await sizeOnPostgres(postgresUrl);
  return [
    { name: `${name}: on the disk for each, its words' index included`, value: bytes / 1000 / size, unit: "kB" },
    ...(await measureReading(filled)),
    ...(await measureQueries(filled)),
    ...(await measureStreamBesideSearches(filled)),
  ];
}

/** Measures the first page of the history, and the chats on it. */
async function measureReading({ name, parley, token }: Filled): Promise<Row[]> {
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${parley.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
  const timed = async (path: (round: number) => string): Promise<number> => {
    const times: number[] = [];
    for (let round = -3; round < ROUNDS; round++) {
      const from = performance.now();
      await get(path(Math.max(0, round)));
      if (round >= 0) times.push(performance.now() - from);
    }
    return median(times);
  };
  const page = "/chat-history?limit=50";
  const chats = (await get(page)) as { id: string }[];
  if (chats.length === 0) throw new Error("The history is empty");
  return [
    {
      name: `${name}: first page of the history, p50`,
      value: await timed(() => page),
      unit: "ms",
      allowed: ALLOWED_PAGE_MS,
    },
    {
      name: `${name}: a chat, p50`,
      value: await timed((round) => `/chat/${chats[round % chats.length]?.id}`),
      unit: "ms",
    },
  ];
}

/** Other accounts that own messages. They are verified, because unverified accounts are removed with their data. */
const otherRows = Array.from({ length: ACCOUNTS - 1 }, (_, index) => `other-${index}`);
const userColumns = "id, username, username_key, email, email_key, firstname, lastname, created_at, verified_at";

function addOthersOnSqlite(file: string): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  const insert = database.prepare(`insert into users (${userColumns}) values (?1, ?1, ?1, ?1, ?1, 'A', 'B', 0, 0)`);
  database.exec("begin immediate");
  for (const other of otherRows) insert.run(other);
  database.exec("commit");
}

function sizeOnSqlite(file: string): number {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec("pragma wal_checkpoint(truncate)");
  return statSync(file).size;
}

async function addOthersOnPostgres(url: string): Promise<void> {
  await onPostgres(url, (client) =>
    client.query(
      `insert into users (${userColumns}) select o, o, o, o, o, 'A', 'B', 0, 0 from unnest($1::text[]) as t (o)`,
      [otherRows],
    ),
  );
}

async function sizeOnPostgres(url: string): Promise<number> {
  const { rows } = await onPostgres(url, (client) =>
    client.query("select pg_database_size(current_database()) as size"),
  );
  return Number((rows[0] as { size: string }).size);
}

async function onPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
