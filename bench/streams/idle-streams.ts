import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MeasuredProcess } from "../harness/measured-process.ts";
import { multiplyAccount } from "../harness/multiply-account.ts";
import { nodeFlags, signUp, startParley } from "../harness/parley.ts";
import type { Row } from "../results/row.ts";

const COUNTS = [1000, 10_000];
const AT_ONCE = 50;
const WARM_UP = 5000;
const SETTLE_MS = 5000;
/** Two rounds of keep-alive comments. */
const WATCHED_MS = 30_000;

const ALLOWED_KB = 30;
/** Allowed processor time for a thousand streams, in percent of one processor. */
const ALLOWED_PERCENT = 2;

/** Measures idle event streams of as many accounts: memory, and processor time for keep-alive comments. */
export async function* measureIdleStreams(): AsyncGenerator<Row[]> {
  for (const count of COUNTS) yield await measureCount(count);
}

async function measureCount(count: number): Promise<Row[]> {
  await using parley = await startParley();
  await signUp(parley);
  const tokens = await multiplyAccount(parley, count);
  const own = await measure(count, parley.process, `${parley.url}/api/auth/config`, (index) =>
    get(`${parley.url}/api/events`, withToken(tokens[index])),
  );
  const file = fileURLToPath(new URL("../yardsticks/raw-streams.ts", import.meta.url));
  await using raw = new MeasuredProcess([...nodeFlags, file]);
  const rawUrl = await raw.saidUrl();
  const bare = await measure(count, raw, `${rawUrl}/whole`, () => get(rawUrl, { agent: false }));
  const name = `${count.toLocaleString("en")} idle event streams`;
  return [
    {
      name: `${name}: memory for each`,
      value: own.kbPerStream,
      unit: "kB",
      yardstick: { name: "bare Node", value: bare.kbPerStream },
      allowed: ALLOWED_KB,
    },
    {
      name: `${name}: processor for signs of life`,
      value: own.cpuPercent,
      unit: "%",
      allowed: (ALLOWED_PERCENT * count) / 1000,
    },
  ];
}

async function measure(count: number, server: MeasuredProcess, warmUp: string, open: (index: number) => ClientRequest) {
  // Requests without lasting state, so that the heap grows to its working size first.
  for (let done = 0; done < WARM_UP; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => fetch(warmUp).then((response) => response.text())));
  }
  await setTimeout(SETTLE_MS);
  const before = server.rssMb();
  const responses: IncomingMessage[] = [];
  while (responses.length < count) {
    const first = responses.length;
    responses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => begin(open(first + index))))));
  }
  await setTimeout(SETTLE_MS);
  const kbPerStream = ((server.rssMb() - before) * 1000) / count;
  const cpuBefore = server.cpuMs();
  await setTimeout(WATCHED_MS);
  const cpuPercent = ((server.cpuMs() - cpuBefore) / WATCHED_MS) * 100;
  for (const response of responses) response.destroy();
  return { kbPerStream, cpuPercent };
}

function withToken(token = "") {
  return { agent: false as const, headers: { authorization: `Bearer ${token}` } };
}

/** Resolves when the stream's first event has arrived. */
async function begin(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  await once(response, "data");
  return response.on("error", () => undefined);
}
