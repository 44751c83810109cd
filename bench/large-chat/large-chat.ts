import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { createPostgresDatabase } from "../../testing/database/test-database.ts";
import { type MeasuredParley, signUp, startParley } from "../harness/parley.ts";
import { reachablePostgres } from "../harness/reachable-postgres.ts";
import { startWordSource } from "../harness/streaming-servers.ts";
import { writePastServer } from "../harness/write-past-server.ts";
import type { Row } from "../results/row.ts";
import { type ChatShape, insertChat } from "./fill-chat.ts";

const HEAP_MB = 400;
const READS = 10;
/** A slow reader pauses after each 64 kB: 200 MB take half a minute. */
const PAUSE = { bytes: 65_536, ms: 10 };
const MB = 1_000_000;

/**
 * The idle server takes 115 MB. A read holds one page of 1 MB of UTF-8 (2 MB in V8 here), as much JSON, and 1 to 2 MB
 * of buffers: ten reads hold 60 MB. The rest is garbage that V8 has not collected yet.
 */
const ALLOWED_MB = 300;
/** Ratio to the memory for a tenth of the chat: memory must depend on the number of reads, not on the chat's size. */
const ALLOWED_RATIO = 1.3;

const small: ChatShape = { name: "20 MB", bytes: 20 * MB, questionChars: 2000, answerChars: 98_000 };
const large: ChatShape = { ...small, name: "200 MB", bytes: 200 * MB };
/** A chat at the default quota, with as many messages as fit. */
const short: ChatShape = { name: "16 MB of short messages", bytes: 16 * MB, questionChars: 10, answerChars: 10 };

type Opened = { parley: MeasuredParley; token: string; chatId: string };
type Trial = { name: string; run(opened: Opened): Promise<void> };

const trials: Trial[] = [
  { name: `${READS} reads of the chat`, run: (opened) => readAll(opened, conversationPaths.chat(opened.chatId)) },
  { name: `${READS} reads of its tree`, run: (opened) => readAll(opened, conversationPaths.chatTree(opened.chatId)) },
  { name: `${READS} JSON exports`, run: (opened) => readAll(opened, exportPath(opened, "json")) },
  { name: `${READS} Markdown exports`, run: (opened) => readAll(opened, exportPath(opened, "markdown")) },
  { name: `${READS} exports of everything`, run: (opened) => readAll(opened, transferPaths.export) },
  {
    name: `${READS} slow reads of its tree`,
    run: (opened) => readAll(opened, conversationPaths.chatTree(opened.chatId), PAUSE),
  },
  { name: "a send", run: send },
];

/** Measures the memory that a server with a small heap takes to read large chats, on both databases. */
export async function* measureLargeChat(): AsyncGenerator<Row[]> {
  yield* measureOn("SQLite", (shape) => measureShape(shape));
  const database = await reachablePostgres();
  if (!database) return;
  await database[Symbol.asyncDispose]();
  yield* measureOn("PostgreSQL", async (shape) => {
    await using own = await createPostgresDatabase();
    return measureShape(shape, own.url);
  });
}

type Peaks = ReadonlyMap<string, number>;

async function* measureOn(engine: string, measure: (shape: ChatShape) => Promise<Peaks>): AsyncGenerator<Row[]> {
  const rowsOf = (shape: ChatShape, peaks: Peaks, tenth?: Peaks): Row[] =>
    [...peaks].map(([name, value]) => {
      const row: Row = { name: `${shape.name}, ${engine}: ${name}`, value, unit: "MB", allowed: ALLOWED_MB };
      const yardstick = tenth && { name: small.name, value: tenth.get(name) ?? Number.NaN };
      return yardstick ? { ...row, yardstick, allowedRatio: ALLOWED_RATIO } : row;
    });
  const tenth = await measure(small);
  yield rowsOf(small, tenth);
  yield rowsOf(large, await measure(large), tenth);
  yield rowsOf(short, await measure(short));
}

/** @returns the peak of the server's resident memory during each trial */
async function measureShape(shape: ChatShape, postgresUrl?: string): Promise<Peaks> {
  await using source = await startWordSource({ words: 20, paceMs: 5 });
  await using parley = await startParley({
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${source.url}/v1`,
    MAX_CHAT_MB: "1024",
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    SHUTDOWN_GRACE_MS: "100",
    ...(postgresUrl !== undefined && { DATABASE_URL: postgresUrl }),
  });
  const token = await signUp(parley);
  const server = { dataDir: parley.dataDir, postgresUrl };
  const opened: Opened = { parley, token, chatId: await insertChat(server, shape) };
  // The full export requires recent authentication.
  await writePastServer(server, async (database) => {
    const { id } = await database.first("sessions");
    await database.update("sessions", String(id), { proved_at: Date.now() });
  });
  const peaks = new Map([["at rest", parley.process.rssMb()]]);
  for (const { name, run } of trials) {
    parley.process.resetPeak();
    await run(opened);
    peaks.set(name, parley.process.peakMb());
  }
  return peaks;
}

const exportPath = ({ chatId }: Opened, format: string) => `${transferPaths.chatExport(chatId)}?format=${format}`;

/** Reads a response of the server several times concurrently and discards it. */
async function readAll(opened: Opened, path: string, pause?: typeof PAUSE): Promise<void> {
  await Promise.all(
    Array.from({ length: READS }, async () => {
      let unread = 0;
      for await (const chunk of await ask(opened, "GET", path)) {
        unread += (chunk as Buffer).length;
        if (!pause || unread < pause.bytes) continue;
        unread = 0;
        await setTimeout(pause.ms);
      }
    }),
  );
}

/** Sends a question and reads the reply to its end. */
async function send(opened: Opened): Promise<void> {
  const answer = await ask(opened, "POST", conversationPaths.chatSend(opened.chatId), {
    message: "And?",
    model: "GPT:gpt-5",
  });
  for await (const _ of answer);
}

async function ask({ parley, token }: Opened, method: string, path: string, body?: object): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const asked = request(`${parley.url}${API_BASE}${path}`, { method, agent: false, headers });
  asked.end(body && JSON.stringify(body));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  return answer;
}
