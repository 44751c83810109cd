import { type Dialect, Kysely, type Transaction, type TransactionBuilder } from "kysely";
import type { Queryable, Schema } from "./schema.ts";
import { type DatabaseWatch, logOf } from "./watch.ts";

const waiting = new WeakMap<Queryable, (() => void)[]>();

/**
 * Runs work after the transaction has committed, and not if it is rolled back; immediately if there is no transaction.
 */
export function afterCommit(db: Queryable, work: () => void): void {
  const works = waiting.get(db);
  if (works) works.push(work);
  else work();
}

/** Marks a savepoint. @returns a function that discards the work added by {@link afterCommit} since the mark */
export function afterCommitMark(db: Queryable): () => void {
  const works = waiting.get(db);
  const count = works?.length ?? 0;
  return () => works?.splice(count);
}

/** A database whose transactions run the work of {@link afterCommit} when they are committed. */
export class CommittingDatabase extends Kysely<Schema> {
  readonly #watch: DatabaseWatch;

  constructor(dialect: Dialect, watch: DatabaseWatch = {}) {
    super({ dialect, ...logOf(watch) });
    this.#watch = watch;
  }

  /** Measures work as a transaction if it is part of one that several requests share. */
  measured<T>(work: () => Promise<T>): Promise<T> {
    const { transaction } = this.#watch;
    return transaction ? transaction(work) : work();
  }

  override transaction(): TransactionBuilder<Schema> {
    const builder = super.transaction();
    const perform = builder.execute.bind(builder);
    const { transaction } = this.#watch;
    const execute: typeof perform = transaction ? (callback) => transaction(() => perform(callback)) : perform;
    builder.execute = async <T>(callback: (db: Transaction<Schema>) => Promise<T>) => {
      const works: (() => void)[] = [];
      const result = await execute((db) => {
        waiting.set(db, works);
        return callback(db);
      });
      for (const work of works) work();
      return result;
    };
    return builder;
  }
}
