import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { sql, type Transaction } from "kysely";
import { outsideRequests } from "../concurrency/outside-requests.ts";
import { afterCommitMark, CommittingDatabase } from "./after-commit.ts";
import { isOnSqlite } from "./is-on-sqlite.ts";
import type { Database, Schema } from "./schema.ts";

/** Maximum group size: the first member waits for all others. */
const MAX_MEMBERS = 32;

/** Runs work in its own transaction and commits it. */
export type Perform = (work: (db: Transaction<Schema>) => Promise<void>) => Promise<unknown>;

type Member = {
  /** Rolls back only its own writes if it fails. */
  run(db: Transaction<Schema>): Promise<void>;
  /** Is called after the commit of its group, or after its group failed. */
  settle(groupError: { error: unknown } | undefined): void;
};

/**
 * Group commit for a database with one writer: transactions that wait at the same time become savepoints of one
 * transaction, and one write to the disk makes all of them durable. A member that fails is rolled back to its
 * savepoint; if the commit fails, all members fail.
 */
export class GroupCommit {
  readonly #perform: Perform;
  readonly #waiting: Member[] = [];
  #running: Promise<void> | undefined;
  /** Duration of the last group. */
  #groupMs = 0;

  constructor(perform: Perform) {
    this.#perform = perform;
  }

  /**
   * Runs a short transaction that waits for nothing but the database.
   * @returns its result, once it is durable
   */
  execute<T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Keeps each member in the async context of its own request.
    const inContext = AsyncLocalStorage.snapshot();
    let result: { value: T } | undefined;
    this.#waiting.push({
      run: (db) =>
        inContext(async () => {
          try {
            result = { value: await withSavepoint(db, work) };
          } catch (error) {
            if (error instanceof SavepointLost) throw error.cause;
            reject(error);
          }
        }),
      settle: (groupError) => {
        if (groupError) reject(groupError.error);
        else if (result) resolve(result.value);
      },
    });
    this.#running ??= outsideRequests(() => this.#runGroups());
    return promise;
  }

  async #runGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const startedAt = performance.now();
      await this.#runGroup();
      this.#groupMs = performance.now() - startedAt;
    }
    this.#running = undefined;
  }

  /**
   * Waits as long as each iteration of the event loop adds another member, at most as long as the group before took.
   * Statements of SQLite block, and libuv accepts one connection per iteration: without this, requests of a burst would
   * commit one by one.
   */
  async #gather(): Promise<void> {
    const startedAt = performance.now();
    for (let before = 0; before < this.#waiting.length; ) {
      before = this.#waiting.length;
      await setImmediate();
      if (before >= MAX_MEMBERS || performance.now() - startedAt >= this.#groupMs) return;
    }
  }

  async #runGroup(): Promise<void> {
    const members: Member[] = [];
    let failure: { error: unknown } | undefined;
    try {
      await this.#perform(async (db) => {
        for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
          members.push(next);
          await next.run(db);
          if (members.length === MAX_MEMBERS) break;
        }
      });
    } catch (error) {
      failure = { error };
    }
    // If no transaction could begin, all waiting members fail as well.
    if (failure && members.length === 0) members.push(...this.#waiting.splice(0));
    for (const member of members) member.settle(failure);
  }
}

/** The database rolled back the whole transaction with the savepoint, e.g. after a disk error. */
class SavepointLost extends Error {}

/**
 * Runs work in a savepoint.
 * @throws the work's own error once it is rolled back; SavepointLost, with that error as cause, if the rollback fails
 */
async function withSavepoint<T>(db: Transaction<Schema>, work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
  await sql`savepoint member`.execute(db);
  const undoCommits = afterCommitMark(db);
  try {
    const value = await work(db);
    await sql`release member`.execute(db);
    return value;
  } catch (cause) {
    undoCommits();
    try {
      await sql`rollback to member`.execute(db);
      await sql`release member`.execute(db);
    } catch {
      throw new SavepointLost("The transaction was rolled back", { cause });
    }
    throw cause;
  }
}

const groups = new WeakMap<Database, GroupCommit>();

/**
 * Runs a short transaction, on SQLite in a group commit with other waiting ones. On PostgreSQL, whose transactions do
 * not wait for each other, it has its own commit.
 */
export function shortTransaction<T>(database: Database, work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
  if (!isOnSqlite(database)) return database.transaction().execute(work);
  const group = groups.get(database) ?? new GroupCommit((whole) => database.transaction().execute(whole));
  groups.set(database, group);
  const execute = () => group.execute(work);
  return database instanceof CommittingDatabase ? database.measured(execute) : execute();
}
