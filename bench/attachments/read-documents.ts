import { setTimeout } from "node:timers/promises";
import { PASSWORD } from "../../testing/accounts/sign-up.ts";
import { nameOfCopy } from "../harness/multiply-account.ts";
import { post } from "../harness/parley.ts";
import { type StreamingParley, startStreamingParley, startWordSource } from "../harness/streaming-servers.ts";
import { upload } from "../harness/upload.ts";
import type { Row } from "../results/row.ts";
import { quantile } from "../results/statistics.ts";
import { ALLOWED_P99_MS, openStreams, watchWords } from "../streams/paced-streams.ts";
import { longPdf, PAGES } from "./long-documents.ts";

const STREAMS = 100;
const PACE_MS = 50;
const SETTLE_MS = 2000;

/** Measures the delay of streamed words while the server reads PDFs, beside the same streams without them. */
export async function measureReadDocuments(): Promise<Row[]> {
  await using source = await startWordSource({ words: 1_000_000, paceMs: PACE_MS, isStamped: true });
  await using parley = await startStreamingParley(source.url, STREAMS);
  const watch = await openStreams(parley, STREAMS);
  await setTimeout(SETTLE_MS);
  const alone = await watchWords(parley, watch);
  const reader = await Reader.begin(parley);
  await setTimeout(SETTLE_MS);
  const beside = await watchWords(parley, watch);
  await reader.end();
  const lateness = (part: number): Row => ({
    name: `${STREAMS} streams: lateness of a word while PDFs are read, p${100 * part}`,
    value: quantile(beside.lateness, part),
    unit: "ms",
    yardstick: { name: "without PDFs", value: quantile(alone.lateness, part) },
  });
  return [
    lateness(0.5),
    { ...lateness(0.99), allowed: ALLOWED_P99_MS },
    { name: `a PDF of ${PAGES} pages, uploaded and read, p50`, value: quantile(reader.times, 0.5), unit: "ms" },
  ];
}

/** Uploads a PDF again and again, and removes each one after it was read. */
class Reader {
  /** Durations of uploads with their reading, in ms. */
  readonly times: number[] = [];
  readonly #url: string;
  readonly #token: string;
  readonly #reading: Promise<void>;
  #isOver = false;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
    this.#reading = this.#read();
  }

  static async begin({ parley }: StreamingParley): Promise<Reader> {
    const login = { username: nameOfCopy(0), password: PASSWORD };
    const { access_token: token } = (await post(parley.url, "/auth/login", login)) as { access_token: string };
    return new Reader(parley.url, token);
  }

  async #read(): Promise<void> {
    const pdf = longPdf();
    while (!this.#isOver) {
      const from = performance.now();
      const id = await upload({ url: this.#url }, this.#token, { name: "report.pdf", bytes: pdf });
      this.times.push(performance.now() - from);
      const removed = await fetch(`${this.#url}/api/files/${id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${this.#token}` },
      });
      if (!removed.ok) throw new Error(`A removal answered ${removed.status}`);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#reading;
  }
}
