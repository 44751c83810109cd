import { setTimeout } from "node:timers/promises";
import { DAY, SECOND } from "#contract/limits.ts";
import type { Database, MessageRow } from "../../database/schema.ts";
import { endLease, listOrphans, listOwned, removeLapsedLeases, renewLease } from "./ownership-store.ts";
import { interruptReplies, type RecoveryDeps } from "./recover-replies.ts";
import { listAllWriting } from "./reply-store.ts";

const RENEW_MS = SECOND;
const LEASE_MS = 5 * SECOND;
/** After the database or this process was away, others get as many turns to renew their leases. */
const RENEWALS_BEFORE_SEARCH = LEASE_MS / RENEW_MS;

export type OwnershipDeps = RecoveryDeps & {
  /** Connections that requests cannot use up: for the lease. */
  reserved: Database;
  /** Stays the same over restarts on one data folder, which one process has at a time. */
  processId: string;
  /** Several processes may share the database. */
  isShared: boolean;
};

/** Whether this process writes a run of a reply. */
export type IsWriting = (replyId: string, run: number) => boolean;

/**
 * Which process writes a reply. Alone on its database, a process that starts knows that all unfinished replies are
 * nobody's. Where several share one, each holds a lease, renewed every second: a reply whose owner's lease has run out
 * is nobody's, and a process that starts knows its own earlier ones by its id.
 */
export class Ownership implements AsyncDisposable {
  readonly processId: string;
  readonly #deps: OwnershipDeps;
  readonly #closing = new AbortController();
  #work: Promise<unknown> = Promise.resolve();
  #renewalsInARow = 0;
  #lastRenewalAt = 0;
  /** Replies of ours that nobody here writes, by id and run; those found twice in a row are ended. */
  #strays = new Set<string>();

  private constructor(deps: OwnershipDeps) {
    this.#deps = deps;
    this.processId = deps.processId;
  }

  /** Ends what earlier processes left unfinished, as far as that is certain by now. */
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

  /** Keeps the lease, and looks for replies that nobody writes any more. For processes that share a database. */
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
    // A process that was held up itself cannot tell who else was.
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
      log.info({ err: error }, "no search for replies that nobody writes");
    }
  }

  /** A commit of which we never heard may have begun a reply that nobody has begun to write. */
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
    // Whatever is left unfinished here is found at once by the others.
    if (this.#deps.isShared) await endLease(this.#deps.reserved, this.processId).catch(() => undefined);
  }
}

function nameOf({ id, run }: MessageRow): string {
  return `${id}:${run}`;
}
