import { sql } from "kysely";
import { SECOND } from "#contract/limits.ts";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Database } from "../schema.ts";

const POLL_MS = SECOND;

/**
 * Detects writes of another process to the SQLite file of this one: of administration commands, which send no
 * notification. On PostgreSQL, other writers are common and all readers poll anyway.
 */
export class OtherWriters implements AsyncDisposable {
  readonly #database: Database;
  readonly #listeners: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #version: number | undefined;

  constructor(database: Database) {
    this.#database = database;
    if (!isOnSqlite(database)) return;
    // Commits are compared with this moment: what is read later contains those before it.
    void this.check();
    this.#timer = setInterval(() => {
      void this.check();
    }, POLL_MS).unref();
  }

  /** Registers a listener that is called within a second of a commit by another process. */
  onWritten(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Settles when all earlier writes have been reported. */
  check(): Promise<void> {
    this.#checking = this.#checking.then(() => this.#check());
    return this.#checking;
  }

  async #check(): Promise<void> {
    // `data_version` changes only by commits of other connections.
    const { rows } = await sql<{ data_version: number }>`pragma data_version`
      .execute(this.#database)
      .catch(() => ({ rows: [] }));
    const [row] = rows;
    if (!row || row.data_version === this.#version) return;
    const isFirst = this.#version === undefined;
    this.#version = row.data_version;
    if (!isFirst) for (const listener of this.#listeners) listener();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }
}
