import { setTimeout } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import { message } from "../../testing/chats/exported-chats.ts";
import { type AccountCall, draftBy, importChatBy, publishBy, tokenOf } from "../../testing/shares/share-chat.ts";
import { type MeasuredParley, signUp, startParley } from "../harness/parley.ts";
import { reachablePostgres } from "../harness/reachable-postgres.ts";
import type { Row } from "../results/row.ts";
import { quantile } from "../results/statistics.ts";

const VIEWS_A_SECOND = 200;
const SECONDS = 15;
const ALLOWED_MS = 20;
/** Messages of the chat, each of a usual length. */
const MESSAGES = 40;

/** Measures views of one link, which never render, on both databases. */
export async function* measureShares(): AsyncGenerator<Row[]> {
  yield await measureOn();
  const database = await reachablePostgres();
  if (!database) return;
  await using _database = database;
  yield await measureOn(database.url);
}

async function measureOn(postgresUrl?: string): Promise<Row[]> {
  const engine = postgresUrl === undefined ? "SQLite" : "PostgreSQL";
  await using parley = await startParley({
    RATE_LIMITS: "off",
    ...(postgresUrl !== undefined && { DATABASE_URL: postgresUrl }),
  });
  const { token, draftMs } = await shareChat(parley);
  const address = `${parley.url}/api${sharePaths.sharedPage(token)}`;
  const times = await viewsOf(address);
  const view = (name: string, value: number, allowed?: number): Row => {
    return { name: `${engine}: ${name}`, value, unit: "ms", ...(allowed !== undefined && { allowed }) };
  };
  return [
    view(`view of a link at ${VIEWS_A_SECOND} views a second, p50`, quantile(times, 0.5)),
    view(`view of a link at ${VIEWS_A_SECOND} views a second, p95`, quantile(times, 0.95), ALLOWED_MS),
    view(`snapshot of ${MESSAGES} messages, rendered and stored`, draftMs),
  ];
}

/** Makes a link for anyone. @returns its token, and how long its snapshot took in ms */
async function shareChat(parley: MeasuredParley): Promise<{ token: string; draftMs: number }> {
  const bearer = await signUp(parley);
  const call: AccountCall = async (method, path, body) => {
    const response = await fetch(`${parley.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const messages = [message()];
  for (let at = 1; at < MESSAGES; at++) {
    const content = `**Fjords** are inlets, see \`code\` and $x^2$.\n\n- one\n- two\n\n${"Words of an answer. ".repeat(40)}`;
    messages.push(message({ role: at % 2 ? "assistant" : "user", content, parent: messages.at(-1)?.id ?? null }));
  }
  const chat = await importChatBy(call, { messages, leaf: messages.at(-1)?.id ?? null });
  const from = performance.now();
  const draft = await draftBy(call, chat);
  const draftMs = performance.now() - from;
  return { token: tokenOf(await publishBy(call, draft)), draftMs };
}

/** Asks for a page at a steady rate, whether earlier answers have come or not. @returns the times of the answers in ms */
async function viewsOf(address: string): Promise<number[]> {
  const times: number[] = [];
  const views: Promise<void>[] = [];
  const begunAt = performance.now();
  for (let at = 0; at < VIEWS_A_SECOND * SECONDS; at++) {
    const dueMs = begunAt + (at * SECOND) / VIEWS_A_SECOND - performance.now();
    if (dueMs > 0) await setTimeout(dueMs);
    views.push(viewOnce(address, times));
  }
  await Promise.all(views);
  return times;
}

async function viewOnce(address: string, times: number[]): Promise<void> {
  const from = performance.now();
  const response = await fetch(address);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`A view answered ${response.status}`);
  times.push(performance.now() - from);
}
