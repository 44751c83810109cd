import { openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { accountPaths } from "#contract/accounts/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { converters } from "#contract/transfer/services/converters.ts";
import { openForeignExport } from "#contract/transfer/services/foreign-export.ts";
import type { ExportedChat, ImportResult } from "#contract/transfer/transfer.ts";
import { PASSWORD } from "../../testing/accounts/sign-up.ts";
import { documentOf } from "../../testing/chats/exported-chats.ts";
import { signUp, startParley } from "../harness/parley.ts";
import { callerOf, LoopDelay, send } from "../holds/loop-delay.ts";
import type { Row } from "../results/row.ts";
import { chatgptChat } from "./chatgpt-chat.ts";

const CHATS = 200;
const MESSAGES = 50;
/** As the page sends them. */
const CHATS_AT_ONCE = 50;
const [ALLOWED_S, ALLOWED_HOLD_MS] = [60, 50];

/** Measures the conversion of an export of ChatGPT, and the import of its 10,000 messages. */
export async function measureMovingIn(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    const path = join(folder, "conversations.json");
    await writeFile(path, JSON.stringify(Array.from({ length: CHATS }, (_, at) => chatgptChat(at, MESSAGES))));
    const { chats, rows } = await convert(path);
    return [...rows, ...(await importAll(chats))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function convert(path: string): Promise<{ chats: ExportedChat[]; rows: Row[] }> {
  const chats: ExportedChat[] = [];
  const startedAt = performance.now();
  let [longest, last] = [0, startedAt];
  const source = await openForeignExport(await openAsBlob(path), converters, { fileIdOf: (key) => key, now: 0 });
  for await (const piece of source.chats()) {
    for (const one of piece.chats) if (one) chats.push(one.chat);
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  const name = `conversion of ${CHATS * MESSAGES} messages of ChatGPT`;
  return {
    chats,
    rows: [
      { name, value: last - startedAt, unit: "ms" },
      { name: `${name}: longest piece`, value: longest, unit: "ms", allowed: ALLOWED_HOLD_MS },
    ],
  };
}

async function importAll(chats: readonly ExportedChat[]): Promise<Row[]> {
  const NODE_OPTIONS = `--import ${fileURLToPath(new URL("../harness/report-loop-delay.mjs", import.meta.url))}`;
  await using parley = await startParley({ RATE_LIMITS: "off", NODE_OPTIONS });
  const { call } = callerOf(parley, await signUp(parley));
  const loop = new LoopDelay(parley.process);
  await send(call("POST", accountPaths.proof, { password: PASSWORD }));
  // The first import loads code.
  await send(call("POST", transferPaths.import, documentOf()));
  await loop.read();
  const startedAt = performance.now();
  let imported = 0;
  for (let at = 0; at < chats.length; at += CHATS_AT_ONCE) {
    const body = documentOf({ chats: chats.slice(at, at + CHATS_AT_ONCE) });
    const response = await call("POST", transferPaths.import, body);
    imported += ((await response.json()) as ImportResult).imported;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (imported !== chats.length) throw new Error(`${imported} of ${chats.length} chats were imported`);
  const { delayMs, processorMs } = await loop.read();
  const name = `import of ${CHATS * MESSAGES} messages`;
  const yardstick = { name: "processor time", value: processorMs };
  return [
    { name, value: seconds, unit: "s", allowed: ALLOWED_S },
    { name: `${name}: longest hold of the server`, value: delayMs, unit: "ms", yardstick, allowed: ALLOWED_HOLD_MS },
  ];
}
