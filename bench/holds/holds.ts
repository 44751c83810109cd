import { fileURLToPath } from "node:url";
import { type CostlyPerson, type CostlyTexts, costlyCalls } from "../../testing/chats/costly-calls.ts";
import { costlyTexts } from "../../testing/chats/costly-texts.ts";
import { startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import type { MeasuredProcess } from "../harness/measured-process.ts";
import { type MeasuredParley, signUp, startParley } from "../harness/parley.ts";
import { inWords, type Row } from "../results/row.ts";

const SENT_CHARS = 200_000;
const IMPORTED_CHARS = 1_000_000;
const ALLOWED_MS = 50;
const reporter = fileURLToPath(new URL("../harness/report-loop-delay.mjs", import.meta.url));

/** The yardstick: ordinary prose. */
const prose = (length: number) =>
  "Words that a person wrote, of the usual kind. ".repeat(length / 46 + 1).slice(0, length);

/**
 * Measures how long single calls block the event loop, on each route, for each costly text and for prose. The yardstick
 * is the main thread's processor time: on a busy machine the rest of the delay is due to other processes. A first pass,
 * for warm-up, is discarded.
 */
export async function measureHolds(): Promise<Row[]> {
  await using provider = await startScriptedProvider();
  await using parley = await startParley({
    OPENAI_API_KEY: "bench-key-of-the-provider",
    OPENAI_BASE_URL: provider.baseUrl,
    DAILY_REPLIES_PER_USER: "1000000",
    RATE_LIMITS: "off",
    NODE_OPTIONS: `--import ${reporter}`,
  });
  const token = await signUp(parley);
  const person: CostlyPerson = {
    provider,
    call: (method, path, body) => callAs(parley, token, { method, path, body }),
  };
  const loop = new LoopDelay(parley.process);
  await holds(person, loop, "prose", { sent: prose(SENT_CHARS), imported: prose(IMPORTED_CHARS) });
  const imported: Record<string, string> = { prose: prose(IMPORTED_CHARS), ...costlyTexts(IMPORTED_CHARS) };
  const longest = new Map<string, Hold>();
  for (const [text, sent] of Object.entries({ prose: prose(SENT_CHARS), ...costlyTexts(SENT_CHARS) })) {
    for (const hold of await holds(person, loop, text, { sent, imported: imported[text] ?? sent })) {
      if (hold.delayMs > (longest.get(hold.call)?.delayMs ?? 0)) longest.set(hold.call, hold);
      if (hold.delayMs > ALLOWED_MS) console.log(`${hold.call}, ${text}: ${inWords(hold.delayMs)} ms`);
    }
  }
  return [...longest.values()].map(toRow);
}

type Hold = { call: string; text: string; delayMs: number; processorMs: number };

function toRow({ call, text, delayMs, processorMs }: Hold): Row {
  const yardstick = { name: `processor time (${text})`, value: processorMs };
  return { name: `${call}: longest of all texts`, value: delayMs, unit: "ms", yardstick, allowed: ALLOWED_MS };
}

/** Returns the longest block of the event loop during each call. */
async function holds(person: CostlyPerson, loop: LoopDelay, text: string, texts: CostlyTexts): Promise<Hold[]> {
  const found: Hold[] = [];
  await loop.read();
  for await (const [call] of costlyCalls(person, texts)) found.push({ call, text, ...(await loop.read()) });
  return found;
}

class LoopDelay {
  readonly #process: MeasuredProcess;
  #reads = 0;

  constructor(process: MeasuredProcess) {
    this.#process = process;
  }

  /**
   * Returns the longest event-loop delay since the last call, and the most processor time of one iteration of the loop.
   */
  async read(): Promise<{ delayMs: number; processorMs: number }> {
    this.#reads++;
    this.#process.signal("SIGUSR2");
    const line = await this.#process.said(new RegExp(`^loop delay ${this.#reads}: (.+)$`));
    const [delayMs = Number.NaN, processorMs = Number.NaN] = line.split(" ").map(Number);
    return { delayMs, processorMs };
  }
}

type Call = { method: string; path: string; body: unknown };

function callAs({ url }: MeasuredParley, token: string, { method, path, body }: Call): Promise<Response> {
  return fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
