import { setTimeout } from "node:timers/promises";
import { PASSWORD } from "../../testing/accounts/sign-up.ts";
import { nameOfCopy } from "../harness/multiply-account.ts";
import { type StreamingParley, startStreamingParley, startWordSource } from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { quantile } from "../results/statistics.ts";
import { ALLOWED_P99_MS, openStreams, watchWords } from "./paced-streams.ts";

const STREAMS = 100;
const PACE_MS = 50;
/** Number of clients that sign in repeatedly. */
const PEOPLE = 30;
const SETTLE_MS = 2000;

/** Measures the delay of streamed words during many concurrent sign-ins, beside the same streams without them. */
export async function measureSignInStorm(): Promise<Row[]> {
  await using source = await startWordSource({ words: 1_000_000, paceMs: PACE_MS, isStamped: true });
  await using parley = await startStreamingParley(source.url, STREAMS);
  const watch = await openStreams(parley, STREAMS);
  await setTimeout(SETTLE_MS);
  const alone = await watchWords(parley, watch);
  const storm = new Storm(parley);
  await setTimeout(SETTLE_MS);
  storm.times.length = 0;
  const begunAt = performance.now();
  const beside = await watchWords(parley, watch);
  const seconds = (performance.now() - begunAt) / 1000;
  const times = [...storm.times];
  await storm.end();
  const lateness = (part: number): Row => ({
    name: `${STREAMS} streams: lateness of a word, p${100 * part}`,
    value: quantile(beside.lateness, part),
    unit: "ms",
    yardstick: { name: "without sign-ins", value: quantile(alone.lateness, part) },
  });
  return [
    lateness(0.5),
    { ...lateness(0.99), allowed: ALLOWED_P99_MS },
    { name: `a sign-in, ${PEOPLE} people at once, p50`, value: quantile(times, 0.5), unit: "ms" },
    { name: "from one sign-in to the next", value: (seconds * 1000) / times.length, unit: "ms" },
  ];
}

class Storm {
  readonly times: number[] = [];
  readonly #people: Promise<void>[];
  #isOver = false;

  constructor({ parley }: StreamingParley) {
    this.#people = Array.from({ length: PEOPLE }, (_, person) => this.#signInAgain(parley.url, nameOfCopy(person)));
  }

  async #signInAgain(url: string, username: string): Promise<void> {
    while (!this.#isOver) {
      const from = performance.now();
      const response = await fetch(`${url}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: PASSWORD }),
      });
      if (!response.ok) throw new Error(`A sign-in answered ${response.status}: ${await response.text()}`);
      await response.text();
      this.times.push(performance.now() - from);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#people);
  }
}
