import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { reachablePostgres } from "../harness/reachable-postgres.ts";
import {
  type StreamingServer,
  startPipe,
  startStreamingParley,
  startWordSource,
} from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { largest, quantile } from "../results/statistics.ts";
import { monotonicMs, onWord } from "./lateness-of-words.ts";

/** Concurrent sends, each of another account. */
const MANY = 50;
const ROUNDS = 10;
const WARM_UPS = 3;
/** Concurrent sends, three of each of a hundred accounts. */
const ALL = 300;
const SETTLE_MS = 500;
/** Allowed time until the first word, as a multiple of a raw pipe's. */
const ALLOWED_RATIO = 2;
const ALLOWED_MS = 10_000;

/** `refused`: number of sends that were not answered with a stream. */
type Burst = { firstWordMs: number[]; refused: number };

/** Measures the time to the first word, and refusals, of many concurrent sends; on both databases. */
export async function* measureSendBursts(): AsyncGenerator<Row[]> {
  yield await measureOn("SQLite");
  const database = await reachablePostgres();
  if (!database) return;
  await using _database = database;
  yield await measureOn("PostgreSQL", database.url);
}

async function measureOn(engine: string, postgresUrl?: string): Promise<Row[]> {
  await using source = await startWordSource({ words: 5, paceMs: 5, isStamped: true });
  await using parley = await startStreamingParley(source.url, ALL, postgresUrl);
  await using pipe = await startPipe("raw pipe", source.url);
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const [ownBurst, bareBurst] = [await burst(parley, MANY), await burst(pipe, MANY)];
    if (round < 0) continue;
    own.push(...ownBurst.firstWordMs);
    bare.push(...bareBurst.firstWordMs);
  }
  const { firstWordMs, refused } = await burst(parley, ALL);
  const name = `${MANY} sends at once, ${engine}: from the question to the first word`;
  return [
    {
      name: `${name}, p50`,
      value: quantile(own, 0.5),
      unit: "ms",
      yardstick: { name: "raw pipe", value: quantile(bare, 0.5) },
      allowedRatio: ALLOWED_RATIO,
    },
    {
      name: `${name}, p95`,
      value: quantile(own, 0.95),
      unit: "ms",
      yardstick: { name: "raw pipe", value: quantile(bare, 0.95) },
    },
    { name: `${ALL} sends of 100 people at once, ${engine}: refused`, value: refused, unit: "count", allowed: 0 },
    {
      name: `${ALL} sends of 100 people at once, ${engine}: the last first word`,
      value: largest(firstWordMs),
      unit: "ms",
      allowed: ALLOWED_MS,
    },
  ];
}

async function burst(server: StreamingServer, count: number): Promise<Burst> {
  const firstWordMs: number[] = [];
  let refused = 0;
  const ask = async (index: number) => {
    const askedAt = monotonicMs();
    const stream = await server.open(index).catch(() => undefined);
    if (!stream) {
      refused++;
      return;
    }
    let hasWord = false;
    onWord(stream, () => {
      if (!hasWord) firstWordMs.push(monotonicMs() - askedAt);
      hasWord = true;
    });
    await once(stream, "end");
  };
  await Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
  // Replies are stored, and their chats titled, after the last word.
  await setTimeout(SETTLE_MS);
  return { firstWordMs, refused };
}
