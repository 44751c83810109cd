import type { IncomingMessage } from "node:http";
import {
  type StreamingServer,
  startPipe,
  startStreamingParley,
  startWordSource,
} from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";

const RUNS = 5;
/** Warm-up runs: V8 still compiles the code of a server that has just started. */
const WARM_UPS = 2;

type Setting = {
  name: string;
  streams: number;
  words: number;
  /** Words of reasoning that precede the words of text. */
  reasoningWords?: number;
  paceMs: number;
  allowedRatio: number;
  isBesideAiSdk: boolean;
};
const paced = { streams: 20, paceMs: 20, allowedRatio: 2 };
const settings: Setting[] = [
  { ...paced, name: "20 ms apart, replies of 200 words", words: 200, isBesideAiSdk: true },
  { ...paced, name: "20 ms apart, replies of 600 words", words: 600, isBesideAiSdk: false },
  {
    ...paced,
    name: "20 ms apart, 100 words of reasoning and 100 words of text",
    words: 100,
    reasoningWords: 100,
    isBesideAiSdk: false,
  },
  { name: "flooding", streams: 4, words: 20_000, paceMs: 0, allowedRatio: 3, isBesideAiSdk: true },
];
const ALLOWED_OF_AI_SDK = 0.25;

/**
 * Measures the server's processor time per word of text or reasoning, including storage and requests, beside yardsticks
 * of the same run.
 */
export async function* measureStreamedWords(): AsyncGenerator<Row[]> {
  for (const setting of settings) yield await measure(setting);
}

async function measure(setting: Setting): Promise<Row[]> {
  const { name, streams, words, reasoningWords = 0, paceMs, allowedRatio, isBesideAiSdk } = setting;
  await using source = await startWordSource({ words, reasoningWords, paceMs });
  await using parley = await startStreamingParley(source.url, streams);
  await using pipe = await startPipe("raw pipe", source.url);
  await using aiSdk = isBesideAiSdk ? await startPipe("AI SDK", source.url) : undefined;
  const servers: StreamingServer[] = [parley, pipe, ...(aiSdk ? [aiSdk] : [])];
  const costs = new Map(servers.map((server) => [server, [] as number[]]));
  for (let run = -WARM_UPS; run < RUNS; run++) {
    for (const server of servers) {
      const before = server.process.cpuMs();
      await Promise.all(Array.from({ length: streams }, async (_, index) => drain(await server.open(index))));
      const cost = ((server.process.cpuMs() - before) * 1000) / (streams * (words + reasoningWords));
      if (run >= 0) costs.get(server)?.push(cost);
    }
  }
  const value = median(costs.get(parley) ?? []);
  const beside = (server: StreamingServer) => ({ name: server.name, value: median(costs.get(server) ?? []) });
  const word: Row = { name: `a word, ${name}`, value, unit: "µs", yardstick: beside(pipe), allowedRatio };
  if (!aiSdk) return [word];
  const besideSdk = { yardstick: beside(aiSdk), allowedRatio: ALLOWED_OF_AI_SDK };
  return [word, { ...word, name: `${word.name}, by the AI SDK`, ...besideSdk }];
}

async function drain(response: IncomingMessage): Promise<void> {
  for await (const _ of response);
}
