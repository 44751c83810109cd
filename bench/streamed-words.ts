import { fileURLToPath } from "node:url";
import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import { MeasuredProcess } from "./measured-process.ts";
import { multiplyAccount } from "./multiply-account.ts";
import { post, signUp, startParley } from "./parley.ts";
import { median, report } from "./report.ts";

const RUNS = 5;
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

type Setting = { name: string; streams: number; words: number; paceMs: number; allowed: number };
const settings: Setting[] = [
  { name: "20 ms apart", streams: 20, words: 200, paceMs: 20, allowed: 2 },
  { name: "flooding", streams: 4, words: 20_000, paceMs: 0, allowed: 3 },
];

/** Processor time of the server for each word, checkpoints included, beside a raw pipe in the same run. */
export async function measureStreamedWords(): Promise<void> {
  for (const setting of settings) await measure(setting);
}

async function measure({ name, streams, words, paceMs, allowed }: Setting): Promise<void> {
  await using source = new MeasuredProcess([here("word-source.ts")], {
    WORDS: String(words),
    PACE_MS: String(paceMs),
  });
  const sourceUrl = `http://127.0.0.1:${await source.said(/listening on (\d+)/)}`;
  await using pipe = new MeasuredProcess([here("raw-pipe.ts")], { SOURCE: sourceUrl });
  const pipeUrl = `http://127.0.0.1:${await pipe.said(/listening on (\d+)/)}`;
  await using parley = await startParley({
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${sourceUrl}/v1`,
    DAILY_REPLIES_PER_USER: "1000000",
  });
  await signUp(parley);
  const tokens = await multiplyAccount(parley, Math.ceil(streams / REPLIES_AT_ONCE));

  const perWord = async (server: MeasuredProcess, open: () => Promise<Response>): Promise<number> => {
    const before = server.cpuMs();
    await Promise.all(Array.from({ length: streams }, async () => drain(await open())));
    return ((server.cpuMs() - before) * 1000) / (streams * words);
  };
  const chats: { id: string; token: string }[] = [];
  const openChat = async (place: number) => {
    const token = tokens[place % tokens.length] ?? "";
    const { id } = (await post(parley.url, "/chat", {}, token)) as { id: string };
    chats.push({ id, token });
  };
  const openParley = () => {
    const { id, token } = chats.pop() ?? { id: "", token: "" };
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const body = JSON.stringify({ message: "Words, please", model: "GPT:gpt-5" });
    return fetch(`${parley.url}/api/chat/${id}/send?stream=1`, { method: "POST", headers, body });
  };
  const costs = { parley: [] as number[], pipe: [] as number[] };
  for (let run = 0; run <= RUNS; run++) {
    for (let count = 0; count < streams; count++) await openChat(count);
    const parleyCost = await perWord(parley.process, openParley);
    const pipeCost = await perWord(pipe, () => fetch(pipeUrl, { method: "POST" }));
    // The first run warms both up.
    if (run > 0) costs.parley.push(parleyCost);
    if (run > 0) costs.pipe.push(pipeCost);
  }
  const ratio = median(costs.parley) / median(costs.pipe);
  report(`a streamed word, ${name}`, {
    "Parley µs": median(costs.parley),
    "raw pipe µs": median(costs.pipe),
    ratio,
    "ratio allowed": allowed,
  });
}

async function drain(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`answered ${response.status}: ${await response.text()}`);
  for await (const _ of response.body ?? []);
}
