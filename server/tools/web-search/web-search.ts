import type { SearchEngine, SearchFailure, SearchOptions, SearchResult } from "../../browsing/search/search-web.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import { Reloading } from "../../bus/reloading.ts";
import { type Config, ConfigError } from "../../config/config.ts";
import { type SecretCipher, unreadableSentence } from "../../config/secret-cipher.ts";
import type { Secrets } from "../../config/secrets.ts";
import type { Database } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import {
  decryptEngineKey,
  encryptEngineAgain,
  findEngineRow,
  isEngineUnreadable,
  readEngine,
  SEARCH_ENGINE_NAME,
  type StoredEngine,
} from "./stored-engine.ts";

export type WebSearchDeps = {
  config: Pick<Config, "searchEngine">;
  secrets: Pick<Secrets, "searchKey">;
  cipher: SecretCipher;
  database: Database;
  bus: Bus;
  log: Log;
  outbound: Outbound;
  /** Whether other processes may write to the database. */
  isShared: boolean;
};

/**
 * Searches the web by the engine that the environment or an owner sets. The engine is a snapshot in memory; every process
 * reads it again after a notification, and without Redis it polls. Nothing that searches is loaded before the first
 * search.
 */
export class WebSearch implements AsyncDisposable {
  readonly #deps: WebSearchDeps;
  readonly #fixed: SearchEngine | undefined;
  readonly #reloading: Reloading;
  #current: SearchEngine | undefined;
  #applied: string | undefined;

  private constructor(deps: WebSearchDeps) {
    this.#deps = deps;
    this.#fixed = fixedEngine(deps);
    this.#reloading = new Reloading(deps, {
      topic: topics.settings,
      read: () => this.#read(),
      failure: "the search engine could not be read yet",
    });
  }

  /**
   * Reads the engine, and encrypts a key of the previous secret again.
   * @param acceptsNewSecret leaves out an engine whose key does not open
   * @throws ConfigError
   */
  static async open(deps: WebSearchDeps, { acceptsNewSecret }: { acceptsNewSecret: boolean }): Promise<WebSearch> {
    const { database, cipher, log } = deps;
    if (!fixedEngine(deps) && (await isEngineUnreadable(database, cipher))) {
      if (!acceptsNewSecret) {
        throw new ConfigError([unreadableSentence([SEARCH_ENGINE_NAME], "start with --accept-new-secret")]);
      }
      log.warn("the secret key does not open the key of the search engine");
    }
    await encryptEngineAgain(database, cipher);
    const search = new WebSearch(deps);
    await search.#read();
    return search;
  }

  /** Whether the environment sets the engine. */
  get isFixed(): boolean {
    return this.#fixed !== undefined;
  }

  /** The engine that applies, at most a few seconds old; undefined if there is none. */
  current(): SearchEngine | undefined {
    return this.#fixed ?? this.#current;
  }

  /** Searches by an engine that {@link current} has returned. @throws as `searchWeb` of `browsing/` */
  async search(engine: SearchEngine, query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    const { guard, searchWeb } = await this.#load();
    return searchWeb(guard, engine, query, options);
  }

  /** Tests an engine by one query. @returns the number of results, or the failure @throws the signal's reason */
  async check(engine: SearchEngine, options: SearchOptions = {}): Promise<number | SearchFailure> {
    const { guard, checkSearchEngine } = await this.#load();
    return checkSearchEngine(guard, engine, options);
  }

  /** Makes a committed change take effect: here when this settles, on other processes within seconds. */
  publish(): Promise<void> {
    return this.#reloading.publish();
  }

  /** Reads the engine again. Keeps the last one, and tries again later, if the database does not answer. */
  reload(): Promise<void> {
    return this.#reloading.reload();
  }

  async #load() {
    const [{ OutboundGuard }, functions] = await Promise.all([
      import("../../outbound/outbound-guard.ts"),
      import("../../browsing/search/search-web.ts"),
    ]);
    return { guard: new OutboundGuard(this.#deps), ...functions };
  }

  async #read(): Promise<void> {
    const { database, cipher } = this.#deps;
    const row = await findEngineRow(database);
    if (row?.value === this.#applied) return;
    const stored = readEngine(row);
    this.#current = stored && toEngine(cipher, stored);
    this.#applied = row?.value;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reloading[Symbol.asyncDispose]();
  }
}

function fixedEngine({ config, secrets }: Pick<WebSearchDeps, "config" | "secrets">): SearchEngine | undefined {
  const { searchEngine } = config;
  return searchEngine && { ...searchEngine, key: secrets.searchKey };
}

/** Returns an engine that can be searched; undefined if its key does not open. */
export function toEngine(cipher: SecretCipher, stored: StoredEngine): SearchEngine | undefined {
  const key = decryptEngineKey(cipher, stored);
  if (key === undefined) return undefined;
  return { kind: stored.kind, address: stored.baseUrl ?? undefined, key: key?.text };
}
