import { setTimeout } from "node:timers/promises";
import type { MessageRow } from "../../database/schema.ts";
import { listOrphans, listOwned } from "./ownership-store.ts";
import { type ProcessLeases, type ProcessLeasesDeps, RENEW_MS } from "./process-leases.ts";
import { interruptReplies, type RecoveryDeps } from "./recover-replies.ts";
import { listAllWriting } from "./reply-store.ts";

export type OwnershipDeps = RecoveryDeps &
  Pick<ProcessLeasesDeps, "processId" | "isShared"> & { leases: Pick<ProcessLeases, "mayJudge"> };

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
  /** Replies of this process, by id and run, that it does not write; replies found twice in a row are ended. */
  #strays = new Set<string>();

  private constructor(deps: OwnershipDeps) {
    this.#deps = deps;
    this.processId = deps.processId;
  }

  /** Interrupts the replies that certainly no process writes any more. */
  static async open(deps: OwnershipDeps): Promise<Ownership> {
    const ownership = new Ownership(deps);
    const { database, isShared } = deps;
    const unfinished = isShared ? await listOwned(database, deps.processId) : await listAllWriting(database);
    await interruptReplies(deps, unfinished);
    return ownership;
  }

  /** Polls for orphaned replies. Does nothing if the database is not shared. */
  watch(isWriting: IsWriting): void {
    if (!this.#deps.isShared) return;
    this.#work = this.#searchAlways(isWriting);
  }

  async #searchAlways(isWriting: IsWriting): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await setTimeout(RENEW_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#search(isWriting);
    }
  }

  async #search(isWriting: IsWriting): Promise<void> {
    const { database, log } = this.#deps;
    try {
      await this.#endStrays(isWriting);
      if (!this.#deps.leases.mayJudge) return;
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
  }
}

function nameOf({ id, run }: MessageRow): string {
  return `${id}:${run}`;
}
