import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { sql, type Transaction } from "kysely";
import { outsideRequests } from "../concurrency/outside-requests.ts";
import { afterCommitMark, CommittingDatabase } from "./after-commit.ts";
import { isOnSqlite } from "./is-on-sqlite.ts";
import type { Database, Schema } from "./schema.ts";

/** The first member waits for all others of its group. */
const MAX_MEMBERS = 32;

/** Runs work in a transaction of its own and commits it. */
export type Perform = (work: (db: Transaction<Schema>) => Promise<void>) => Promise<unknown>;

type Member = {
  /** Rolls back its own writes alone where it fails. */
  run(db: Transaction<Schema>): Promise<void>;
  /** After the commit of its group, or where its group failed. */
  settle(groupError: { error: unknown } | undefined): void;
};

/**
 * Group commit for a database with one writer: transactions that wait at the same time become savepoints of one
 * transaction, and one write to the disk makes all of them durable. A member that fails is rolled back to its savepoint;
 * if the commit fails, all members fail.
 */
export class GroupCommit {
  readonly #perform: Perform;
  readonly #waiting: Member[] = [];
  #running: Promise<void> | undefined;
  /** What the last group took. */
  #groupMs = 0;

  constructor(perform: Perform) {
    this.#perform = perform;
  }

  /**
   * Runs short work, of which no part waits for anything but the database.
   * @returns its result, once it is durable
   */
  execute<T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Each member keeps the context of its own request.
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
   * Waits while each turn of the event loop brings another member, no longer than the group before has taken. Statements
   * of SQLite block, and libuv accepts one connection in a turn: without this, requests of a burst would commit one by one.
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
    // Where not even a transaction could begin, nobody who waits would fare better.
    if (failure && members.length === 0) members.push(...this.#waiting.splice(0));
    for (const member of members) member.settle(failure);
  }
}

/** The whole transaction is gone, as after an error of the disk, and with it the savepoint. */
class SavepointLost extends Error {}

/** @throws SavepointLost, whose cause is the error of the work; the work's own error once it is rolled back */
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
 * A short transaction, which on SQLite shares its commit with others that wait at the same time. On PostgreSQL, whose
 * transactions do not wait for each other, it is one of its own.
 */
export function shortTransaction<T>(database: Database, work: (db: Transaction<Schema>) => Promise<T>): Promise<T> {
  if (!isOnSqlite(database)) return database.transaction().execute(work);
  const group = groups.get(database) ?? new GroupCommit((whole) => database.transaction().execute(whole));
  groups.set(database, group);
  const execute = () => group.execute(work);
  return database instanceof CommittingDatabase ? database.measured(execute) : execute();
}
