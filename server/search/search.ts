import { SECOND } from "#contract/limits.ts";
import type { SearchQuery, SearchResult } from "#contract/search.ts";
import { KeyedSemaphore, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import type { Database } from "../database/schema.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";
import { findHits } from "./find-hits.ts";
import { removeEntries } from "./search-index-store.ts";
import { withinTime } from "./search-store.ts";
import { SearchThread } from "./search-thread.ts";

/** Below the silence after which PostgreSQL's connection is taken for lost. */
const LIMIT_MS = SECOND;
/** So that searches leave connections of PostgreSQL to all else. SQLite's thread does one. */
const AT_ONCE_ON_POSTGRES = 3;
/** Of each account one search runs and one waits. A newer one replaces the one that waits, as the person types on. */
export const SEARCH_LIMITS: SemaphoreLimits = {
  atOnce: 1,
  maxWaiting: 50,
  perFlow: { atOnce: 1, maxWaiting: 1, retryAfterSeconds: 1 },
};

export type SearchDeps = { database: Database; dataDir: string; isShared: boolean };

/** Search through all messages and titles of an account. */
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
   * A page of what matches; nothing for a query without a word.
   * @param signal aborts a search that waits when its reader leaves; the reason is thrown
   * @throws Failure `unavailable` where it takes too long or too many wait, `too-many-requests` where a newer search of
   * the account replaced this one before it began
   */
  async find(userId: string, query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    const search = async () => {
      if (this.#thread) return this.#thread.search({ userId, query });
      return withinTime(this.#database, LIMIT_MS, (db) => findHits(db, userId, query));
    };
    return this.#semaphore.run(search, signal, { network: "", account: userId });
  }

  /** Takes all that an account is found by away, little by little: SQLite overwrites each word. Ends early by `signal`. */
  async forget(userId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await removeEntries(this.#database, userId)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#semaphore[Symbol.dispose]();
    await this.#thread?.[Symbol.asyncDispose]();
  }
}
