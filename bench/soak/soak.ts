import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { MeasuredProcess } from "../harness/measured-process.ts";
import { multiplyAccount } from "../harness/multiply-account.ts";
import { type MeasuredParley, signUp, startParley } from "../harness/parley.ts";
import { startPipe, startWordSource } from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { quantile } from "../results/statistics.ts";
import { growthOf, type HeapCounts, readHeapSnapshot } from "./heap-snapshot.ts";
import { type Use, useAsPerson } from "./people.ts";

const PEOPLE = 40;
const SOURCE = { words: 60, paceMs: 5 };
const FIRST_MS = 60_000;
/** Memory is the median of the samples of this period, at the end of the first minute and of the run. */
const SAMPLED_MS = 20_000;
const SAMPLE_MS = 500;
/** Replies between the two heap snapshots: enough that bounded caches, which fill up meanwhile, count little. */
const SNAPSHOT_REPLIES = 3000;
/** Titles follow replies, and connections to the provider close up to 2 s later. */
const SETTLE_MS = 5000;

/** Allowed memory in percent of the memory after the first minute. */
const ALLOWED_PERCENT = 110;
/** Allowed growth in objects of one kind per ended reply; caches and hash tables grow by far less than one. */
const ALLOWED_OBJECTS = 0.1;

type Work = { parley: MeasuredParley; pipeUrl: string; tokens: readonly string[]; use: Use };

/** Measures whether the server's memory grows with ended replies, during some minutes of simulated use. */
export async function measureSoak(minutes: number): Promise<Row[]> {
  if (!(minutes * 60_000 >= FIRST_MS + SAMPLED_MS)) throw new Error("--minutes takes a number from 1.5 on");
  const folder = await mkdtemp(join(tmpdir(), "parley-soak-"));
  try {
    await using source = await startWordSource(SOURCE);
    await using pipe = await startPipe("raw pipe", source.url);
    await using parley = await startParley({
      OPENAI_API_KEY: "bench",
      OPENAI_BASE_URL: `${source.url}/v1`,
      DAILY_REPLIES_PER_USER: "1000000",
      SHUTDOWN_GRACE_MS: "100",
      SNAPSHOT_DIR: folder,
      NODE_OPTIONS: `--import ${new URL("snapshot-on-signal.ts", import.meta.url)}`,
    });
    await signUp(parley);
    const tokens = await multiplyAccount(parley, PEOPLE);
    const work: Work = { parley, pipeUrl: await pipe.process.saidUrl(), tokens, use: { done: 0 } };
    const [own, bare] = await measureMemory(work, pipe.process, minutes * 60_000);
    console.log(`${work.use.done} replies; ${inMegabytes(own)}, the raw pipe ${inMegabytes(bare)}`);
    return [...memoryRows(minutes, own, bare), await measureObjects(work)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Memory = { firstMb: number; lastMb: number };
const inMegabytes = ({ firstMb, lastMb }: Memory) =>
  `${firstMb.toFixed(0)} MB at first, ${lastMb.toFixed(0)} MB at last`;
const percent = ({ firstMb, lastMb }: Memory) => (lastMb / firstMb) * 100;

function memoryRows(minutes: number, own: Memory, bare: Memory): Row[] {
  const name = `${minutes} minutes of ${PEOPLE} people`;
  return [
    {
      name: `${name}: memory at the end, of that after the first minute`,
      value: percent(own),
      unit: "%",
      yardstick: { name: "raw pipe", value: percent(bare) },
      allowed: ALLOWED_PERCENT,
    },
    { name: `${name}: memory at the end`, value: own.lastMb, unit: "MB" },
  ];
}

/** Simulates users while `during` runs, then waits until each has finished its reply. */
async function atWork<T>({ parley, pipeUrl, tokens, use }: Work, during: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const people = Promise.all(tokens.map((token) => useAsPerson(parley, pipeUrl, token, use, over.signal)));
  try {
    // If a simulated user fails, the measurement fails.
    return await Promise.race([during(), people.then(() => Promise.reject(new Error("Nobody is at work")))]);
  } finally {
    over.abort();
    await people;
  }
}

/** @returns memory of the server and of the raw pipe, after the first minute and at the end */
async function measureMemory(work: Work, pipe: MeasuredProcess, ms: number): Promise<[own: Memory, bare: Memory]> {
  const sample = async (): Promise<[number, number]> => {
    const own: number[] = [];
    const bare: number[] = [];
    for (let waited = 0; waited < SAMPLED_MS; waited += SAMPLE_MS) {
      own.push(work.parley.process.rssMb());
      bare.push(pipe.rssMb());
      await setTimeout(SAMPLE_MS);
    }
    return [quantile(own, 0.5), quantile(bare, 0.5)];
  };
  return atWork(work, async () => {
    await setTimeout(FIRST_MS - SAMPLED_MS);
    const [ownFirst, bareFirst] = await sample();
    await setTimeout(ms - FIRST_MS - SAMPLED_MS);
    const [ownLast, bareLast] = await sample();
    return [
      { firstMb: ownFirst, lastMb: ownLast },
      { firstMb: bareFirst, lastMb: bareLast },
    ];
  });
}

/** Compares heap snapshots of the idle server before and after {@link SNAPSHOT_REPLIES} replies. */
async function measureObjects(work: Work): Promise<Row> {
  const before = await snapshot(work.parley.process, 1);
  const doneBefore = work.use.done;
  await atWork(work, async () => {
    while (work.use.done - doneBefore < SNAPSHOT_REPLIES) await setTimeout(100);
  });
  const replies = work.use.done - doneBefore;
  const after = await snapshot(work.parley.process, 2);
  const growth = growthOf(before, after);
  console.log(`${replies} replies between two heap snapshots: ${after.bytes - before.bytes} bytes; grew most:`);
  for (const { kind, count } of growth.slice(0, 8)) console.log(`  ${count} × ${kind}`);
  return {
    name: "objects of one kind that stay for each ended reply",
    value: (growth[0]?.count ?? 0) / replies,
    unit: "count",
    allowed: ALLOWED_OBJECTS,
  };
}

async function snapshot(server: MeasuredProcess, number: number): Promise<HeapCounts> {
  await setTimeout(SETTLE_MS);
  server.signal("SIGUSR2");
  return readHeapSnapshot(await server.said(new RegExp(`^snapshot ${number}: (.+)$`)));
}
