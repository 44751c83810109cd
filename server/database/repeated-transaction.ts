import { shortTransaction } from "./group-commit.ts";
import type { Database, Queryable } from "./schema.ts";
import { isConflict } from "./violations.ts";

/** Attempts at a transaction: each conflict lets another transaction proceed. */
const TRIES = 5;

/**
 * {@link shortTransaction} that is repeated at once after a deadlock or a serialisation failure, after which PostgreSQL
 * has rolled it back. Other failures are thrown: their transaction may have been committed.
 */
export async function repeatedTransaction(database: Database, work: (db: Queryable) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await shortTransaction(database, work);
    } catch (error) {
      if (!isConflict(error) || tries === TRIES) throw error;
    }
  }
}
