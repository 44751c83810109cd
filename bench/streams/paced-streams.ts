import { setTimeout } from "node:timers/promises";
import {
  type StreamingServer,
  startPipe,
  startStreamingParley,
  startWordSource,
} from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { largest, quantile } from "../results/statistics.ts";
import { WordWatch } from "./lateness-of-words.ts";

type Setting = { count: number; paceMs: number; allowedP99Ms?: number };
/** Budget of the delay of words, for every process. */
export const ALLOWED_P99_MS = 50;
/** The thousand streams are slower: at the pace of the others, the bench's own processes would be the bottleneck. */
const settings: Setting[] = [
  { count: 100, paceMs: 50, allowedP99Ms: ALLOWED_P99_MS },
  { count: 500, paceMs: 50, allowedP99Ms: ALLOWED_P99_MS },
  { count: 1000, paceMs: 100 },
];
const OPENED_AT_ONCE = 20;
const SETTLE_MS = 2000;
const WATCHED_MS = 10_000;

type Found = { lateness: number[]; cpuPercent: number; kbPerStream: number };

/** Measures the delay of words during many concurrent replies, and the memory of a running stream. */
export async function* measurePacedStreams(): AsyncGenerator<Row[]> {
  for (const setting of settings) yield await measureSetting(setting);
}

async function measureSetting({ count, paceMs, allowedP99Ms }: Setting): Promise<Row[]> {
  await using source = await startWordSource({ words: 1_000_000, paceMs, isStamped: true });
  const parley = await measureServer(await startStreamingParley(source.url, count), count);
  const pipe = await measureServer(await startPipe("raw pipe", source.url), count);
  const row = (name: string, unit: Row["unit"], of: (found: Found) => number): Row => ({
    name: `${count} streams of ${1000 / paceMs} words a second: ${name}`,
    value: of(parley),
    unit,
    yardstick: { name: "raw pipe", value: of(pipe) },
  });
  return [
    row("lateness of a word, p50", "ms", ({ lateness }) => quantile(lateness, 0.5)),
    {
      ...row("lateness of a word, p99", "ms", ({ lateness }) => quantile(lateness, 0.99)),
      ...(allowedP99Ms !== undefined && { allowed: allowedP99Ms }),
    },
    row("lateness of a word, worst", "ms", ({ lateness }) => largest(lateness)),
    row("processor", "%", ({ cpuPercent }) => cpuPercent),
    row("memory for each", "kB", ({ kbPerStream }) => kbPerStream),
  ];
}

async function measureServer(started: StreamingServer, count: number): Promise<Found> {
  await using server = started;
  await setTimeout(SETTLE_MS);
  const before = server.process.rssMb();
  const watch = await openStreams(server, count);
  await setTimeout(SETTLE_MS);
  const { lateness, cpuPercent } = await watchWords(server, watch);
  const kbPerStream = ((server.process.rssMb() - before) * 1000) / count;
  return { lateness, cpuPercent, kbPerStream };
}

/** Opens `count` streams. */
export async function openStreams(server: StreamingServer, count: number): Promise<WordWatch> {
  const watch = new WordWatch();
  for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
    const indexes = Array.from({ length: Math.min(OPENED_AT_ONCE, count - opened) }, (_, index) => opened + index);
    for (const stream of await Promise.all(indexes.map((index) => server.open(index)))) watch.add(stream);
  }
  return watch;
}

/** @returns the delays of the words of the next seconds */
export async function watchWords(server: StreamingServer, watch: WordWatch) {
  const cpuBefore = server.process.cpuMs();
  watch.lateness.length = 0;
  watch.isCounting = true;
  await setTimeout(WATCHED_MS);
  watch.isCounting = false;
  const cpuPercent = ((server.process.cpuMs() - cpuBefore) / WATCHED_MS) * 100;
  return { lateness: [...watch.lateness], cpuPercent };
}
