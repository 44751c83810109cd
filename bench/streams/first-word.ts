import { once } from "node:events";
import {
  type StreamingServer,
  startPipe,
  startStreamingParley,
  startWordSource,
} from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { quantile } from "../results/statistics.ts";
import { monotonicMs, onWord } from "./lateness-of-words.ts";

const CHATS = 20;
const ROUNDS = 100;
const WARM_UPS = 20;
const WORDS = 5;
const ALLOWED_MS = 5;

type Times = { wholeMs: number[]; passedOnMs: number[] };

/** Measures the time from a question to its first word, from a provider that answers at once. */
export async function measureFirstWord(): Promise<Row[]> {
  await using source = await startWordSource({ words: WORDS, paceMs: 5, isStamped: true });
  await using parley = await startStreamingParley(source.url, CHATS);
  await using pipe = await startPipe("raw pipe", source.url);
  await using aiSdk = await startPipe("AI SDK", source.url);
  const servers = [parley, pipe, aiSdk];
  const times = servers.map((): Times => ({ wholeMs: [], passedOnMs: [] }));
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      const { wholeMs, passedOnMs } = await askOnce(server, Math.abs(round) % CHATS);
      if (round < 0) continue;
      times[index]?.wholeMs.push(wholeMs);
      times[index]?.passedOnMs.push(passedOnMs);
    }
  }
  const middle = (index: number, of: keyof Times, part: number) => quantile(times[index]?.[of] ?? [], part);
  const rows = (yardstick: number, suffix: string): Row[] => {
    const beside = (of: keyof Times, part: number) => ({
      name: servers[yardstick]?.name ?? "",
      value: middle(yardstick, of, part),
    });
    return [
      {
        name: `from the provider's first word to the reader, p50${suffix}`,
        value: middle(0, "passedOnMs", 0.5),
        unit: "ms",
        yardstick: beside("passedOnMs", 0.5),
        allowed: ALLOWED_MS,
      },
      {
        name: `from the question to the first word, p50${suffix}`,
        value: middle(0, "wholeMs", 0.5),
        unit: "ms",
        yardstick: beside("wholeMs", 0.5),
      },
      {
        name: `from the question to the first word, p95${suffix}`,
        value: middle(0, "wholeMs", 0.95),
        unit: "ms",
        yardstick: beside("wholeMs", 0.95),
      },
    ];
  };
  return [...rows(1, ""), ...rows(2, ", by the AI SDK")];
}

async function askOnce(server: StreamingServer, index: number) {
  const askedAt = monotonicMs();
  const stream = await server.open(index);
  let first: { wholeMs: number; passedOnMs: number } | undefined;
  onWord(stream, (passedOnMs) => {
    first ??= { wholeMs: monotonicMs() - askedAt, passedOnMs };
  });
  await once(stream, "end");
  if (!first) throw new Error(`${server.name} sent no word`);
  return first;
}
