import { setTimeout } from "node:timers/promises";
import { DAY, SECOND } from "#contract/limits.ts";
import type { Database } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import { endLease, listLeased, removeLapsedLeases, renewLease } from "./ownership-store.ts";

export const RENEW_MS = SECOND;
const LEASE_MS = 5 * SECOND;
/** Number of renewals that other processes get after an outage of the database or of this process. */
const RENEWALS_BEFORE_JUDGING = LEASE_MS / RENEW_MS;

export type ProcessLeasesDeps = {
  database: Database;
  /** Connections reserved for leases, which requests cannot exhaust. */
  reserved: Database;
  log: Log;
  /** Id of the data folder, which one process uses at a time; restarts do not change it. */
  processId: string;
  /** Whether several processes may share the database. */
  isShared: boolean;
};

/**
 * Renews the lease of this process, and judges alone which other processes have died: for their replies and for their
 * reservations of money. Does nothing if the database is not shared.
 */
export class ProcessLeases implements AsyncDisposable {
  readonly #deps: ProcessLeasesDeps;
  readonly #closing = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #renewalsInARow = 0;
  #lastRenewalAt = 0;

  private constructor(deps: ProcessLeasesDeps) {
    this.#deps = deps;
  }

  static async open(deps: ProcessLeasesDeps): Promise<ProcessLeases> {
    const leases = new ProcessLeases(deps);
    if (!deps.isShared) return leases;
    await renewLease(deps.reserved, deps.processId, LEASE_MS);
    await removeLapsedLeases(deps.database, DAY);
    leases.#work = leases.#renewAlways();
    return leases;
  }

  /** Whether an expired lease means death: an outage lets the leases of all processes expire. */
  get mayJudge(): boolean {
    return this.#renewalsInARow > RENEWALS_BEFORE_JUDGING;
  }

  /** Returns the processes whose lease has expired; none as long as they may only have been delayed. */
  async listDead(owners: readonly string[]): Promise<string[]> {
    if (!this.mayJudge || owners.length === 0) return [];
    const leased = await listLeased(this.#deps.database, owners);
    return owners.filter((owner) => !leased.has(owner));
  }

  async #renewAlways(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await setTimeout(RENEW_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#renew();
    }
  }

  async #renew(): Promise<void> {
    const { reserved, log, processId } = this.#deps;
    // If this process was blocked, other processes may have been blocked too: their leases are not judged yet.
    const isLate = performance.now() - this.#lastRenewalAt > 3 * RENEW_MS;
    this.#lastRenewalAt = performance.now();
    try {
      await renewLease(reserved, processId, LEASE_MS);
      this.#renewalsInARow = isLate ? 0 : this.#renewalsInARow + 1;
    } catch (error) {
      if (this.#renewalsInARow > 0) log.warn({ err: error }, "lease could not be renewed");
      this.#renewalsInARow = 0;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#work;
    // Other processes find this process's unfinished replies at once.
    if (this.#deps.isShared) await endLease(this.#deps.reserved, this.#deps.processId).catch(() => undefined);
  }
}
