import { SECOND } from "#contract/limits.ts";
import { outsideRequests } from "../concurrency/outside-requests.ts";
import type { Database } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { addVisits } from "./share-store.ts";

/** Visits of this time are one write for each link. A killed process does not count them. */
const WRITE_MS = SECOND;

/** Counts visits of links, without addresses. */
export class VisitCounter implements AsyncDisposable {
  readonly #deps: { database: Database; log: Log };
  #visits = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: { database: Database; log: Log }) {
    this.#deps = deps;
  }

  /** Counts a visit in the background. */
  count(shareId: string): void {
    this.#visits.set(shareId, (this.#visits.get(shareId) ?? 0) + 1);
    this.#timer ??= outsideRequests(() => setTimeout(() => this.#flush(), WRITE_MS).unref());
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** Never throws: a visit that cannot be counted is none. */
  async #write(): Promise<void> {
    const counted = this.#visits;
    this.#visits = new Map();
    for (const [shareId, visits] of counted) {
      await addVisits(this.#deps.database, shareId, visits).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, "visits of a link were not counted"),
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flush();
    await this.#writing;
  }
}
