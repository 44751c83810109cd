import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { MeasuredProcess } from "./measured-process.ts";
import { type MeasuredParley, post, signUp, startParley } from "./parley.ts";
import { quantile, report } from "./report.ts";
import { chinesePair, commonWord, fillPostgres, fillSqlite, otherCommonWord, rareWord } from "./search-ground.ts";

const ACCOUNTS = 1000;
const ROUNDS = 30;
const LIKE_ROUNDS = 3;
const PACE_MS = 20;
const ALLOWED_MS = 100;

const queries: Record<string, string> = {
  "rare word": rareWord,
  "common word": commonWord,
  "two common words": `${commonWord} ${otherCommonWord}`,
  "rare and common": `${rareWord} ${commonWord}`,
  "one letter": commonWord.slice(0, 1),
  "two letters": commonWord.slice(0, 2),
  "three letters": commonWord.slice(0, 3),
  "Chinese pair": chinesePair,
  "no such word": "qqqqq",
};

/** A search among so many messages, half of them of one account, beside a plain scan; and a stream beside searches. */
export async function measureSearch(rows: number, postgresUrl?: string): Promise<void> {
  await using words = new MeasuredProcess([fileURLToPath(new URL("word-source.ts", import.meta.url))], {
    WORDS: "500",
    PACE_MS: String(PACE_MS),
  });
  const provider = `http://127.0.0.1:${await words.said(/listening on (\d+)/)}/v1`;
  const env = { OPENAI_API_KEY: "bench", OPENAI_BASE_URL: provider, ...(postgresUrl && { DATABASE_URL: postgresUrl }) };
  await using parley = await startParley(env);
  const name = `${rows.toLocaleString("en")} messages on ${postgresUrl ? "PostgreSQL" : "SQLite"}`;
  const token = await signUp(parley);
  const { id } = (await (await get(parley, "/auth/me", token)).json()) as { id: string };
  const filledAt = performance.now();
  if (postgresUrl) await fillPostgres(postgresUrl, await accountsOnPostgres(postgresUrl, id), rows);
  else await fillSqlite(join(parley.dataDir, "parley.db"), accountsOnSqlite(parley, id), rows);
  report(`${name}, filled`, { s: (performance.now() - filledAt) / 1000 });
  await measureQueries(name, parley, token);
  await measureScan(name, parley, postgresUrl, id);
  await measureStream(name, parley, token);
}

async function measureQueries(name: string, parley: MeasuredParley, token: string): Promise<void> {
  for (const [kind, q] of Object.entries(queries)) {
    const times: number[] = [];
    let hits = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const from = performance.now();
      const response = await get(parley, `/search?${new URLSearchParams({ q })}`, token);
      const answer = (await response.json()) as { hits?: unknown[] };
      times.push(performance.now() - from);
      hits = answer.hits?.length ?? -1;
    }
    const [first = 0, ...warm] = times;
    const numbers = { hits, "first ms": first, "p50 ms": quantile(warm, 0.5), "p95 ms": quantile(warm, 0.95) };
    report(`${name}, ${kind}`, { ...numbers, "allowed ms": ALLOWED_MS });
  }
}

/** What would be done without an index: as fast as can be, in one statement. */
async function measureScan(name: string, parley: MeasuredParley, postgresUrl: string | undefined, userId: string) {
  const times: number[] = [];
  const where = "content like '%' || $2 || '%' order by id desc limit 20";
  const query = `select id from messages where user_id = $1 and ${where}`;
  const client = postgresUrl ? new pg.Client({ connectionString: postgresUrl }) : undefined;
  await client?.connect();
  using database = postgresUrl ? undefined : new DatabaseSync(join(parley.dataDir, "parley.db"), { readOnly: true });
  for (let round = 0; round < LIKE_ROUNDS; round++) {
    const from = performance.now();
    if (client) await client.query(query, [userId, rareWord]);
    else database?.prepare(query.replace("$1", "?").replace("$2", "?")).all(userId, rareWord);
    times.push(performance.now() - from);
  }
  await client?.end();
  report(`${name}, a plain scan for the rare word`, { "p50 ms": quantile(times, 0.5) });
}

/** How late the words of a paced reply come while nobody searches, and while somebody does all the time. */
async function measureStream(name: string, parley: MeasuredParley, token: string): Promise<void> {
  const alone = await latenessOfStream(parley, token);
  let isOver = false;
  const searching = (async () => {
    for (let round = 0; !isOver; round++) {
      const q = Object.values(queries)[round % Object.keys(queries).length] ?? "";
      await (await get(parley, `/search?${new URLSearchParams({ q })}`, token)).text();
    }
  })();
  const beside = await latenessOfStream(parley, token);
  isOver = true;
  await searching;
  report(`${name}, a word's lateness in a stream`, {
    "alone p99 ms": quantile(alone, 0.99),
    "alone worst ms": Math.max(...alone),
    "beside searches p99 ms": quantile(beside, 0.99),
    "beside searches worst ms": Math.max(...beside),
    "allowed p99 ms": 50,
  });
}

/** By how much more than their pace the pieces of a reply are apart. */
async function latenessOfStream(parley: MeasuredParley, token: string): Promise<number[]> {
  const { id } = (await post(parley.url, "/chat", {}, token)) as { id: string };
  const response = await fetch(`${parley.url}/api/chat/${id}/send?stream=1`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ message: "Words, please", model: "GPT:gpt-5" }),
  });
  const late: number[] = [];
  let last: number | undefined;
  for await (const _ of response.body ?? []) {
    const now = performance.now();
    if (last !== undefined) late.push(Math.max(0, now - last - PACE_MS));
    last = now;
  }
  return late;
}

const get = ({ url }: MeasuredParley, path: string, token: string) =>
  fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });

/** Rows of others, as far as messages need them: verified, as those that are not are removed with all they have. */
const otherRows = Array.from({ length: ACCOUNTS - 1 }, (_, index) => `other-${index}`);
const userColumns = "id, username, username_key, email, email_key, firstname, lastname, created_at, verified_at";

function accountsOnSqlite({ dataDir }: MeasuredParley, id: string): string[] {
  using database = new DatabaseSync(join(dataDir, "parley.db"));
  const insert = database.prepare(`insert into users (${userColumns}) values (?1, ?1, ?1, ?1, ?1, 'A', 'B', 0, 0)`);
  for (const other of otherRows) insert.run(other);
  return [id, ...otherRows];
}

async function accountsOnPostgres(url: string, id: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into users (${userColumns}) select o, o, o, o, o, 'A', 'B', 0, 0 from unnest($1::text[]) as t (o)`,
    [otherRows],
  );
  await client.end();
  return [id, ...otherRows];
}
