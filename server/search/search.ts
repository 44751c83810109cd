import type { SearchQuery, SearchResult } from "#contract/conversation/search.ts";
import { SECOND } from "#contract/limits.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import { KeyedSemaphore, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import type { Database } from "../database/schema.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";
import { findHits } from "./find-hits.ts";
import { removeEntries } from "./search-index-store.ts";
import { withinTime } from "./search-store.ts";
import { SearchThread } from "./search-thread.ts";

/** Below the silence after which a PostgreSQL connection counts as lost. */
const LIMIT_MS = SECOND;
/** Bounds the PostgreSQL connections used by searches. SQLite's thread runs one at a time. */
const AT_ONCE_ON_POSTGRES = 3;
/** Each account has one running and one queued search; a newer one replaces the queued one while the user types. */
export const SEARCH_LIMITS: SemaphoreLimits = {
  atOnce: 1,
  maxWaiting: 50,
  perAccount: { atOnce: 1, maxWaiting: 1, retryAfterSeconds: 1 },
};

export type SearchDeps = { database: Database; dataDir: string; isShared: boolean };

/** Full-text search in all messages and titles of an account. */
export class Search implements AsyncDisposable {
  readonly #database: Database;
  readonly #thread: SearchThread | undefined;
  readonly #semaphore: KeyedSemaphore;

  constructor({ database, dataDir, isShared }: SearchDeps) {
    this.#database = database;
    if (!isShared) this.#thread = new SearchThread(sqliteFile(dataDir));
    this.#semaphore = new KeyedSemaphore({ ...SEARCH_LIMITS, ...(isShared && { atOnce: AT_ONCE_ON_POSTGRES }) });
  }

  /**
   * Returns a page of matches; an empty one for a query without words.
   * @param flow the network and the account that searches
   * @param signal aborts a queued search when its client disconnects; its reason is thrown
   * @throws Failure `unavailable` if it takes too long or the queue is full; `too-many-requests` if a newer search of the
   * account has replaced this one before it started
   */
  async find(flow: Flow, query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    const { account: userId } = flow;
    const search = async () => {
      if (this.#thread) return this.#thread.search({ userId, query });
      return withinTime(this.#database, LIMIT_MS, (db) => findHits(db, userId, query));
    };
    return this.#semaphore.run(flow, search, signal);
  }

  /** Removes all search entries of an account in small steps, because SQLite overwrites each word. `signal` ends it. */
  async forget(userId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await removeEntries(this.#database, userId)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#semaphore[Symbol.dispose]();
    await this.#thread?.[Symbol.asyncDispose]();
  }
}
