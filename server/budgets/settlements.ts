import { shortTransaction } from "../database/group-commit.ts";
import type { Database, Queryable } from "../database/schema.ts";
import { untilAvailable } from "../database/until-available.ts";
import type { Log } from "../log.ts";
import type { Spending } from "./spending.ts";

export type SettlementsDeps = { database: Database; log: Log };

/** `subject`: names the work in the log. `signal`: ends the retries, in addition to the shutdown. */
type Retries = { subject: Readonly<Record<string, string>>; signal?: AbortSignal };

/**
 * Stores the calls of replies, titles, temporary replies and tests of providers with their costs. Each transaction is
 * repeated until it succeeds or the process shuts down: else its usage would be lost, and its money stay reserved.
 */
export class Settlements implements AsyncDisposable {
  readonly #deps: SettlementsDeps;
  readonly #closing = new AbortController();
  readonly #work = new Set<Promise<unknown>>();

  constructor(deps: SettlementsDeps) {
    this.#deps = deps;
  }

  /**
   * Counts the calls and settles their reservations.
   * @param also further statements of the transaction, before the sums of the budgets are locked
   */
  async settle(spending: Spending, { also, ...retries }: Retries & { also?: (db: Queryable) => Promise<void> }) {
    if (!also && spending.isSettled) return;
    const store = async (db: Queryable) => {
      await also?.(db);
      await spending.settle(db);
    };
    await this.untilStored(() => shortTransaction(this.#deps.database, store), retries);
  }

  /**
   * Repeats a transaction until it succeeds.
   * @param store must not change anything if it is repeated after a commit whose confirmation was lost
   * @returns undefined if the retries were ended
   */
  async untilStored<T>(store: () => Promise<T>, retries: Retries): Promise<{ value: T } | undefined> {
    const work = this.#untilStored(store, retries).finally(() => this.#work.delete(work));
    this.#work.add(work);
    return work;
  }

  async #untilStored<T>(store: () => Promise<T>, { subject, signal }: Retries): Promise<{ value: T } | undefined> {
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    const onWait = (error: unknown) =>
      this.#deps.log.error({ err: error, ...subject }, "calls could not be stored yet");
    try {
      return { value: await untilAvailable(store, { signals, isPassing: () => true, onWait }) };
    } catch {
      return undefined;
    }
  }

  /** Ends the retries, and waits for running transactions. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#work);
  }
}
