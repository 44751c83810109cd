import { sql } from "kysely";
import { SECOND } from "#contract/limits.ts";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Database } from "../schema.ts";

const POLL_MS = SECOND;

/**
 * Notices what another process has written into the SQLite file of this one: administration, which nudges nobody. On
 * PostgreSQL there may be many at any time, and whoever must hear of them looks for it already.
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
    this.#timer = setInterval(() => {
      void this.check();
    }, POLL_MS).unref();
  }

  /** Is called within a second of a commit by another process. */
  onWritten(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Settles when all that was written before has been told. */
  check(): Promise<void> {
    this.#checking = this.#checking.then(() => this.#check());
    return this.#checking;
  }

  async #check(): Promise<void> {
    // It changes by commits of other connections alone.
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
