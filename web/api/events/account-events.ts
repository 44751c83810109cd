import { type AccountEvent, accountEventSchema } from "#contract/conversation/account-events.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { SECOND } from "#contract/limits.ts";
import { parseJson } from "../api-error.ts";
import type { api as client } from "../client.ts";
import { askOnce } from "../keep-trying.ts";
import { LineCutter } from "../line-cutter.ts";
import { onReturn } from "../on-return.ts";
import { readText } from "../read-text.ts";
import { wait } from "../wait.ts";

/** The server sends a keep-alive every 15 s; after two missing ones the connection counts as lost. */
export const SILENCE_MS = 40 * SECOND;

const SHORTEST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 30 * SECOND;

/** `alive`: bytes have arrived. `lost`: there is no connection; it is reopened automatically. */
export type AccountNews = { type: "event"; event: AccountEvent } | { type: "alive" } | { type: "lost" };

type Deps = {
  api: Pick<typeof client, "open">;
  /** Position after which to start; null if there is none yet. */
  from: number | null;
  signal: AbortSignal;
  /** Random source, 0 to 1. */
  random?: () => number;
};

/**
 * Iterates over the account's events, over any number of connections, until the signal is aborted. A lost connection is
 * reopened at its last position, after an exponential backoff with jitter.
 */
export class AccountEvents implements AsyncIterable<AccountNews> {
  readonly #deps: Required<Deps>;
  #at: number | null;
  #hurried = Promise.withResolvers<void>();
  /** Aborts a connection that has not received its response yet. */
  #connecting: AbortController | null = null;

  constructor(deps: Deps) {
    this.#deps = { random: Math.random, ...deps };
    this.#at = deps.from;
  }

  /** Ends the current pause. */
  hurry(): void {
    this.#hurried.resolve();
  }

  /** Aborts a connection attempt that began before the network changed: no response can arrive over the old network. */
  #reconnect(): void {
    this.#connecting?.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AccountNews> {
    const { signal } = this.#deps;
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
        // Every error is retried: the end of the session aborts the signal.
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
        this.#updatePosition(event);
        yield { type: "event", event };
      }
    }
  }

  async #connect(connecting: AbortSignal): Promise<Response> {
    const { api, signal } = this.#deps;
    const query = this.#at === null ? "" : `?from=${this.#at}`;
    const headers = { accept: "text/event-stream" };
    try {
      const both = AbortSignal.any([signal, connecting]);
      return await askOnce((each) => api.open(`${conversationPaths.events}${query}`, { headers, signal: each }), both);
    } finally {
      // An open stream detects its loss itself, by a timeout.
      this.#connecting = null;
    }
  }

  /** Stores the position of an event. A resumed stream still sends the missing events, so its start moves nothing. */
  #updatePosition(event: AccountEvent): void {
    if (!("isReset" in event) || event.isReset || this.#at === null) this.#at = event.at;
  }

  #pause(tries: number): Promise<unknown> {
    const { random, signal } = this.#deps;
    const longest = Math.min(SHORTEST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
    this.#hurried = Promise.withResolvers();
    return Promise.race([wait(longest * (0.5 + random() / 2), signal), this.#hurried.promise]);
  }
}

/** Parses an event; null for keep-alives and for event types of newer servers. */
function readEvent(line: string): AccountEvent | null {
  if (!line.startsWith("data:")) return null;
  const parsed = accountEventSchema.safeParse(parseJson(line.slice("data:".length)));
  return parsed.success ? parsed.data : null;
}
