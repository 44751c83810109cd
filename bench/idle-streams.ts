import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MeasuredProcess } from "./measured-process.ts";
import { multiplyAccount } from "./multiply-account.ts";
import { nodeFlags, signUp, startParley } from "./parley.ts";
import { report } from "./report.ts";

const STREAMS = 1000;
const AT_ONCE = 50;
const WARM_UP = 5000;
const SETTLE_MS = 5000;
/** Two rounds of signs of life. */
const WATCHED_MS = 30_000;

/** What idle event streams of as many accounts cost: memory, and processor time for their signs of life. */
export async function measureIdleStreams(): Promise<void> {
  await using parley = await startParley();
  await signUp(parley);
  const tokens = await multiplyAccount(parley, STREAMS);
  const own = await measure(parley.process, `${parley.url}/api/auth/config`, (index) =>
    get(`${parley.url}/api/events`, withToken(tokens[index])),
  );

  await using raw = new MeasuredProcess([...nodeFlags, fileURLToPath(new URL("raw-streams.ts", import.meta.url))], {});
  const rawUrl = `http://127.0.0.1:${await raw.said(/listening on (\d+)/)}`;
  const bare = await measure(raw, `${rawUrl}/whole`, () => get(rawUrl, { agent: false }));
  report(`${STREAMS} idle event streams`, { "Parley MB": own.mb, "bare Node MB": bare.mb, "allowed MB": 30 });
  report(`${STREAMS} idle event streams, signs of life`, { "Parley CPU %": own.cpuPercent, "allowed CPU %": 2 });
}

async function measure(server: MeasuredProcess, warmUp: string, open: (index: number) => ClientRequest) {
  // Requests that leave nothing behind, so that the heap has the size that it has at work.
  for (let done = 0; done < WARM_UP; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => fetch(warmUp).then((response) => response.text())));
  }
  await setTimeout(SETTLE_MS);
  const before = server.rssMb();
  const responses: IncomingMessage[] = [];
  while (responses.length < STREAMS) {
    const first = responses.length;
    responses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => begin(open(first + index))))));
  }
  await setTimeout(SETTLE_MS);
  const mb = server.rssMb() - before;
  const cpuBefore = server.cpuMs();
  await setTimeout(WATCHED_MS);
  const cpuPercent = ((server.cpuMs() - cpuBefore) / WATCHED_MS) * 100;
  for (const response of responses) response.destroy();
  return { mb, cpuPercent };
}

function withToken(token = "") {
  return { agent: false as const, headers: { authorization: `Bearer ${token}` } };
}

/** Settles once the stream's first event is there. */
async function begin(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  await once(response, "data");
  return response.on("error", () => undefined);
}
