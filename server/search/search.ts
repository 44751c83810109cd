import { SECOND } from "#contract/limits.ts";
import type { SearchQuery, SearchResult } from "#contract/search.ts";
import { sqliteFile } from "../database/open.ts";
import type { Database } from "../database/schema.ts";
import { findHits } from "./find-hits.ts";
import { removeEntries } from "./search-index-store.ts";
import { withinTime } from "./search-store.ts";
import { SearchThread } from "./search-thread.ts";

/** Below the silence after which PostgreSQL's connection is taken for lost. */
const LIMIT_MS = SECOND;

export type SearchGround = { database: Database; dataDir: string; isShared: boolean };

/** Search through all messages and titles of an account. */
export class Search implements AsyncDisposable {
  readonly #database: Database;
  readonly #thread: SearchThread | undefined;

  constructor({ database, dataDir, isShared }: SearchGround) {
    this.#database = database;
    if (!isShared) this.#thread = new SearchThread(sqliteFile(dataDir));
  }

  /**
   * A page of what matches; nothing for a query without a word.
   * @param signal aborts when nobody waits for it any more
   * @throws Failure `unavailable` where it takes too long
   */
  async find(userId: string, query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    if (this.#thread) return this.#thread.search({ userId, query }, signal);
    return withinTime(this.#database, LIMIT_MS, (db) => findHits(db, userId, query));
  }

  /** Takes all that an account is found by away, little by little: SQLite overwrites each word. */
  async forget(userId: string): Promise<void> {
    while (await removeEntries(this.#database, userId));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.[Symbol.asyncDispose]();
  }
}
