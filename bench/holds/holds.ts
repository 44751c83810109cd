import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CostlyPerson, type CostlyTexts, costlyCalls } from "../../testing/chats/costly-calls.ts";
import { costlyTexts } from "../../testing/chats/costly-texts.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { signUp, startParley } from "../harness/parley.ts";
import type { Row } from "../results/row.ts";
import { measureArrays, measureReaders, type StoredChat } from "./arrays.ts";
import { callerOf, LoopDelay, longestOf, type Measured } from "./loop-delay.ts";

const SENT_CHARS = 200_000;
const IMPORTED_CHARS = 1_000_000;
const reporter = fileURLToPath(new URL("../harness/report-loop-delay.mjs", import.meta.url));

/** The yardstick: ordinary prose. */
const prose = (length: number) =>
  "Words that a person wrote, of the usual kind. ".repeat(length / 46 + 1).slice(0, length);

/**
 * Measures how long single calls block the event loop: on each route, for each costly text and for prose; and for the
 * largest arrays of the contract. A first pass, for warm-up, is discarded.
 * @param only `texts` or `arrays`; both if empty
 */
export async function* measureHolds(only: readonly string[]): AsyncGenerator<Row[]> {
  await using provider = await startScriptedProvider();
  const env = {
    OPENAI_API_KEY: "bench-key-of-the-provider",
    OPENAI_BASE_URL: provider.baseUrl,
    DAILY_REPLIES_PER_USER: "1000000",
    RATE_LIMITS: "off",
    NODE_OPTIONS: `--import ${reporter}`,
  };
  await using folder = await temporaryFolder();
  const has = (part: string) => only.length === 0 || only.includes(part);
  let token = "";
  let chats: StoredChat[] = [];
  {
    await using parley = await startParley(env, folder.path);
    token = await signUp(parley);
    const caller = callerOf(parley, token);
    const person: CostlyPerson = { provider, call: caller.call };
    const loop = new LoopDelay(parley.process);
    await holds(person, loop, "prose", { sent: prose(SENT_CHARS), imported: prose(IMPORTED_CHARS) });
    if (has("texts")) yield await measureTexts(person, loop);
    provider.reset();
    if (has("arrays")) {
      const measured = await measureArrays(caller, loop);
      chats = measured.chats;
      yield measured.rows;
    }
  }
  if (chats.length === 0) return;
  await using parley = await startParley(env, folder.path);
  yield [await measureReaders(callerOf(parley, token), chats)];
}

async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "parley-bench-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

async function measureTexts(person: CostlyPerson, loop: LoopDelay): Promise<Row[]> {
  const imported: Record<string, string> = { prose: prose(IMPORTED_CHARS), ...costlyTexts(IMPORTED_CHARS) };
  const longest = longestOf("texts");
  for (const [text, sent] of Object.entries({ prose: prose(SENT_CHARS), ...costlyTexts(SENT_CHARS) })) {
    for (const hold of await holds(person, loop, text, { sent, imported: imported[text] ?? sent })) longest.note(hold);
  }
  return longest.rows();
}

/** Returns the longest block of the event loop during each call. */
async function holds(person: CostlyPerson, loop: LoopDelay, text: string, texts: CostlyTexts): Promise<Measured[]> {
  const found: Measured[] = [];
  await loop.read();
  for await (const [call] of costlyCalls(person, texts)) found.push({ call, input: text, ...(await loop.read()) });
  return found;
}
