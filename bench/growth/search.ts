import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { type MeasuredParley, post } from "../harness/parley.ts";
import type { Row } from "../results/row.ts";
import { median, quantile } from "../results/statistics.ts";
import { chinesePair, commonWord, fileWord, otherCommonWord, rareWord } from "./fill-messages.ts";

const ROUNDS = 20;
const SCANS = 3;
export const PACE_MS = 20;
const ALLOWED_MS = 100;
const ALLOWED_LATE_MS = 50;

const queries: Record<string, string> = {
  "a rare word": rareWord,
  "a common word": commonWord,
  "two common words": `${commonWord} ${otherCommonWord}`,
  "a rare and a common word": `${rareWord} ${commonWord}`,
  "one letter": commonWord.slice(0, 1),
  "three letters": commonWord.slice(0, 3),
  "a Chinese pair": chinesePair,
  "a word of attached files": fileWord,
  "a name of attached files": "report txt",
  "no such word": "qqqqq",
};

/** A server with generated messages, and their owner. */
export type Filled = {
  /** Prefix of each row's name. */
  name: string;
  parley: MeasuredParley;
  postgresUrl?: string | undefined;
  userId: string;
  token: string;
};

/** Measures typed queries, beside a sequential scan for a rare word. */
export async function measureQueries(filled: Filled): Promise<Row[]> {
  const scanMs = await measureScan(filled);
  const rows: Row[] = [];
  for (const [kind, q] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const from = performance.now();
      await search(filled, q);
      if (round > 0) times.push(performance.now() - from);
    }
    rows.push({
      name: `${filled.name}: search for ${kind}, p50`,
      value: median(times),
      unit: "ms",
      ...(q === rareWord && { yardstick: { name: "a plain scan", value: scanMs } }),
      allowed: ALLOWED_MS,
    });
  }
  return rows;
}

async function search({ parley, token }: Filled, q: string): Promise<void> {
  const response = await fetch(`${parley.url}/api/search?${new URLSearchParams({ q })}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`A search answered ${response.status}`);
  await response.text();
}

/** Measures a search without an index: the fastest single statement. */
async function measureScan({ parley, postgresUrl, userId }: Filled): Promise<number> {
  const times: number[] = [];
  const where = "content like '%' || $2 || '%' order by id desc limit 20";
  const query = `select id from messages where user_id = $1 and ${where}`;
  const client = postgresUrl === undefined ? undefined : new pg.Client({ connectionString: postgresUrl });
  await client?.connect();
  using database = client ? undefined : new DatabaseSync(join(parley.dataDir, "parley.db"), { readOnly: true });
  for (let scan = 0; scan < SCANS; scan++) {
    const from = performance.now();
    if (client) await client.query(query, [userId, rareWord]);
    else database?.prepare(query.replace("$1", "?").replace("$2", "?")).all(userId, rareWord);
    times.push(performance.now() - from);
  }
  await client?.end();
  return median(times);
}

/** Measures the delay of a paced reply's words, without searches and during continuous searches. */
export async function measureStreamBesideSearches(filled: Filled): Promise<Row[]> {
  const alone = await latenessOfStream(filled);
  let isOver = false;
  const searching = (async () => {
    const all = Object.values(queries);
    for (let round = 0; !isOver; round++) await search(filled, all[round % all.length] ?? "");
  })();
  const beside = await latenessOfStream(filled);
  isOver = true;
  await searching;
  return [
    {
      name: `${filled.name}: lateness of a word beside searches, p99`,
      value: quantile(beside, 0.99),
      unit: "ms",
      yardstick: { name: "without", value: quantile(alone, 0.99) },
      allowed: ALLOWED_LATE_MS,
    },
  ];
}

/** Returns how much (ms) the interval between pieces of a reply exceeds their pace. */
async function latenessOfStream({ parley, token }: Filled): Promise<number[]> {
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
