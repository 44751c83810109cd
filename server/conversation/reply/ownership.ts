import { setTimeout } from "node:timers/promises";
import { DAY, SECOND } from "#contract/limits.ts";
import type { Database, MessageRow } from "../../database/schema.ts";
import { endLease, listOrphans, listOwned, removeLapsedLeases, renewLease } from "./ownership-store.ts";
import { interruptReplies, type RecoveryDeps } from "./recover-replies.ts";
import { listAllWriting } from "./reply-store.ts";

const RENEW_MS = SECOND;
const LEASE_MS = 5 * SECOND;
/** Number of renewals that other processes get after an outage of the database or of this process. */
const RENEWALS_BEFORE_SEARCH = LEASE_MS / RENEW_MS;

export type OwnershipDeps = RecoveryDeps & {
  /** Connections reserved for leases, which requests cannot exhaust. */
  reserved: Database;
  /** Id of the data folder, which one process uses at a time; restarts do not change it. */
  processId: string;
  /** Whether several processes may share the database. */
  isShared: boolean;
};

/** Whether this process writes a run of a reply. */
export type IsWriting = (replyId: string, run: number) => boolean;

/**
 * Tracks which process writes a reply. A process that is alone on its database interrupts all unfinished replies when
 * it starts. If several share one, each holds a lease and renews it every second. A reply whose owner's lease has
 * expired is interrupted by another process; a process that restarts finds its own unfinished replies by its id.
 */
export class Ownership implements AsyncDisposable {
  readonly processId: string;
  readonly #deps: OwnershipDeps;
  readonly #closing = new AbortController();
  #work: Promise<unknown> = Promise.resolve();
  #renewalsInARow = 0;
  #lastRenewalAt = 0;
  /** Replies of this process, by id and run, that it does not write; replies found twice in a row are ended. */
  #strays = new Set<string>();

  private constructor(deps: OwnershipDeps) {
    this.#deps = deps;
    this.processId = deps.processId;
  }

  /** Interrupts the replies that certainly no process writes any more. */
  static async open(deps: OwnershipDeps): Promise<Ownership> {
    const ownership = new Ownership(deps);
    const { database, reserved, isShared } = deps;
    if (isShared) {
      await renewLease(reserved, deps.processId, LEASE_MS);
      await removeLapsedLeases(database, DAY);
    }
    const unfinished = isShared ? await listOwned(database, deps.processId) : await listAllWriting(database);
    await interruptReplies(deps, unfinished);
    return ownership;
  }

  /** Renews the lease and polls for orphaned replies. Does nothing if the database is not shared. */
  watch(isWriting: IsWriting): void {
    if (!this.#deps.isShared) return;
    this.#work = Promise.all([
      this.#each(RENEW_MS, () => this.#renew()),
      this.#each(RENEW_MS, () => this.#search(isWriting)),
    ]);
  }

  async #each(ms: number, task: () => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await task();
    }
  }

  async #renew(): Promise<void> {
    const { reserved, log } = this.#deps;
    // If this process was blocked, other processes may have been blocked too: their leases are not judged yet.
    const isLate = performance.now() - this.#lastRenewalAt > 3 * RENEW_MS;
    this.#lastRenewalAt = performance.now();
    try {
      await renewLease(reserved, this.processId, LEASE_MS);
      this.#renewalsInARow = isLate ? 0 : this.#renewalsInARow + 1;
    } catch (error) {
      if (this.#renewalsInARow > 0) log.warn({ err: error }, "lease could not be renewed");
      this.#renewalsInARow = 0;
    }
  }

  async #search(isWriting: IsWriting): Promise<void> {
    const { database, log } = this.#deps;
    try {
      await this.#endStrays(isWriting);
      if (this.#renewalsInARow <= RENEWALS_BEFORE_SEARCH) return;
      await interruptReplies(this.#deps, await listOrphans(database, this.processId));
    } catch (error) {
      log.info({ err: error }, "search for abandoned replies failed");
    }
  }

  /** Interrupts replies that were stored by a commit whose confirmation was lost, so that no producer was started. */
  async #endStrays(isWriting: IsWriting): Promise<void> {
    const rows = await listOwned(this.#deps.database, this.processId);
    const strays = rows.filter(({ id, run }) => !isWriting(id, run));
    const known = this.#strays;
    this.#strays = new Set(strays.map(nameOf));
    await interruptReplies(
      this.#deps,
      strays.filter((row) => known.has(nameOf(row)) && !isWriting(row.id, row.run)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#work;
    // Other processes find this process's unfinished replies at once.
    if (this.#deps.isShared) await endLease(this.#deps.reserved, this.processId).catch(() => undefined);
  }
}

function nameOf({ id, run }: MessageRow): string {
  return `${id}:${run}`;
}
