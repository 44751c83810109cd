import { type AccountEvent, accountEventSchema } from "#contract/account-events.ts";
import { SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { parseJson } from "./api-error.ts";
import type { api as client } from "./client.ts";
import { askOnce } from "./keep-trying.ts";
import { LineCutter } from "./line-cutter.ts";
import { onReturn } from "./on-return.ts";
import { readText } from "./read-text.ts";
import { wait } from "./wait.ts";

/** The server gives a sign of life every 15 s: two missing ones and the connection is taken for dead. */
export const SILENCE_MS = 40 * SECOND;

const SHORTEST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 30 * SECOND;

/** `alive`: a sign of life. `lost`: no connection now; it is looked for by itself. */
export type AccountNews = { type: "event"; event: AccountEvent } | { type: "alive" } | { type: "lost" };

type Parts = {
  api: Pick<typeof client, "open">;
  /** Position after which to begin; null where there is none yet. */
  from: number | null;
  signal: AbortSignal;
  /** 0 to 1. */
  random?: () => number;
};

/**
 * What changes in the account, over any number of connections, until the signal is aborted. A connection that ends is
 * followed by one that begins where it ended, after a pause that grows and is never the same for all browsers.
 */
export class AccountEvents implements AsyncIterable<AccountNews> {
  readonly #parts: Required<Parts>;
  #at: number | null;
  #hurried = Promise.withResolvers<void>();
  /** Ends a connection over which no answer has come yet. */
  #connecting: AbortController | null = null;

  constructor(parts: Parts) {
    this.#parts = { random: Math.random, ...parts };
    this.#at = parts.from;
  }

  /** A pause that is under way ends now. */
  hurry(): void {
    this.#hurried.resolve();
  }

  /** The network is another one: no answer will come over a connection that was begun over the last one. */
  #reconnect(): void {
    this.#connecting?.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AccountNews> {
    const { signal } = this.#parts;
    const endListening = onReturn((how) => how === "online" && this.#reconnect());
    signal.addEventListener("abort", endListening);
    for (let tries = 0; !signal.aborted; tries += 1) {
      const connecting = new AbortController();
      this.#connecting = connecting;
      try {
        for await (const news of this.#readOne(connecting.signal)) {
          tries = 0;
          yield news;
        }
      } catch {
        // Whatever broke it: a session that has ended ends this too, and everything else is tried again.
      }
      if (signal.aborted) return;
      yield { type: "lost" };
      if (!connecting.signal.aborted) await this.#pause(tries).catch(() => {});
    }
  }

  async *#readOne(connecting: AbortSignal): AsyncGenerator<AccountNews> {
    const response = await this.#connect(connecting);
    if (!response.ok) {
      await response.body?.cancel();
      return;
    }
    const lines = new LineCutter();
    for await (const text of readText(response, SILENCE_MS)) {
      yield { type: "alive" };
      for (const line of lines.push(text)) {
        const event = readEvent(line);
        if (!event) continue;
        this.#keepPlace(event);
        yield { type: "event", event };
      }
    }
  }

  async #connect(connecting: AbortSignal): Promise<Response> {
    const { api, signal } = this.#parts;
    const query = this.#at === null ? "" : `?from=${this.#at}`;
    const headers = { accept: "text/event-stream" };
    try {
      const both = AbortSignal.any([signal, connecting]);
      return await askOnce((each) => api.open(`${paths.events}${query}`, { headers, signal: each }), both);
    } finally {
      // What is connected has its own way to notice.
      this.#connecting = null;
    }
  }

  /** Stores the position of an event. A resumed stream still sends the missing events, so its start moves nothing. */
  #keepPlace(event: AccountEvent): void {
    if (!("isReset" in event) || event.isReset || this.#at === null) this.#at = event.at;
  }

  #pause(tries: number): Promise<unknown> {
    const { random, signal } = this.#parts;
    const longest = Math.min(SHORTEST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
    this.#hurried = Promise.withResolvers();
    return Promise.race([wait(longest * (0.5 + random() / 2), signal), this.#hurried.promise]);
  }
}

/** Null for signs of life, and for what a newer server may say. */
function readEvent(line: string): AccountEvent | null {
  if (!line.startsWith("data:")) return null;
  const parsed = accountEventSchema.safeParse(parseJson(line.slice("data:".length)));
  return parsed.success ? parsed.data : null;
}
