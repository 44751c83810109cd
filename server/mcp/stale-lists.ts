import { MINUTE, SECOND } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { withTimeout } from "../concurrency/with-timeout.ts";
import type { McpServerStateRow } from "../database/tables/mcp-tables.ts";
import type { McpClients } from "./mcp-clients.ts";
import type { McpServer } from "./mcp-server.ts";

/** A list is read again after that, and a server that did not answer is asked again. */
const LIST_LIFE_MS = 10 * MINUTE;
const FAILURE_LIFE_MS = MINUTE;
/** How long a first list is waited for. */
const FIRST_LIST_MS = 5 * SECOND;
const READ_MS = 20 * SECOND;

type StaleListsDeps = { clients: Pick<McpClients, "refresh">; clock: Clock };

/** Reads the tools of servers again that were listed long ago, once at a time for each server and person. */
export class StaleLists {
  readonly #deps: StaleListsDeps;
  readonly #reading = new Map<string, Promise<unknown>>();

  constructor(deps: StaleListsDeps) {
    this.#deps = deps;
  }

  /**
   * Reads stale lists in the background. @returns whether a server that was never listed may have a list now, which is
   * waited for
   */
  async refresh(
    servers: readonly McpServer[],
    states: ReadonlyMap<string, McpServerStateRow>,
    userId: string,
  ): Promise<boolean> {
    const stale = servers.filter(({ key }) => this.#isStale(states.get(key)));
    const reading = stale.map((server) => ({ server, read: this.#read(server, userId) }));
    const first = reading.filter(({ server }) => !states.has(server.key));
    if (first.length === 0) return false;
    await withTimeout(Promise.all(first.map(({ read }) => read)), FIRST_LIST_MS);
    return true;
  }

  #isStale(state: McpServerStateRow | undefined): boolean {
    if (!state) return true;
    // A person who signs in has the list read.
    if (state.needs_sign_in === 1) return false;
    const now = this.#deps.clock.now();
    if (state.failed_at !== null) return now - state.failed_at > FAILURE_LIFE_MS;
    return now - (state.listed_at ?? 0) > LIST_LIFE_MS;
  }

  #read(server: McpServer, userId: string): Promise<unknown> {
    const key = JSON.stringify([server.key, userId]);
    const running = this.#reading.get(key);
    if (running) return running;
    const read = this.#deps.clients
      .refresh(server, userId, AbortSignal.timeout(READ_MS))
      .catch(() => undefined)
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, read);
    return read;
  }
}
