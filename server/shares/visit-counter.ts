import type { Database } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { addVisits } from "./share-store.ts";

/**
 * Counts visits of links, without addresses. A statement at a time: visits that come meanwhile are added by the next one,
 * so that many readers of one link do not wait for its row.
 */
export class VisitCounter implements AsyncDisposable {
  readonly #deps: { database: Database; log: Log };
  #waiting = new Map<string, number>();
  #writing: Promise<void> | undefined;

  constructor(deps: { database: Database; log: Log }) {
    this.#deps = deps;
  }

  /** Counts a visit in the background. */
  count(shareId: string): void {
    this.#waiting.set(shareId, (this.#waiting.get(shareId) ?? 0) + 1);
    this.#writing ??= this.#write();
  }

  /** Never throws: a visit that cannot be counted is none. */
  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const counted = this.#waiting;
      this.#waiting = new Map();
      for (const [shareId, visits] of counted) {
        await addVisits(this.#deps.database, shareId, visits).catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, "visits of a link were not counted"),
        );
      }
    }
    this.#writing = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing;
  }
}
