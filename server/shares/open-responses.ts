import { SECOND } from "#contract/limits.ts";
import { outsideRequests } from "../concurrency/outside-requests.ts";
import type { Log } from "../log.ts";
import type { ShareReader } from "./share-rules.ts";
import type { SharedPages } from "./shared-pages.ts";

/** Half of the second after which a revoked link is dead, so that a slow query is in time too. */
const CHECK_MS = SECOND / 2;

/** A response to a reader of a link. `close` ends its connection. */
type OpenResponse = { shareId: string; reader: ShareReader; close(): void };

export type OpenResponsesDeps = { pages: Pick<SharedPages, "findOpen">; log: Log };

/**
 * Ends responses whose link was revoked or has ended while they were sent, wherever that was done: the database is polled
 * while there are any, because a notification of another process may be lost.
 */
export class OpenResponses implements Disposable {
  readonly #deps: OpenResponsesDeps;
  readonly #responses = new Set<OpenResponse>();
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(deps: OpenResponsesDeps) {
    this.#deps = deps;
  }

  /** Watches a response until it is removed. @returns a function that removes it */
  add(response: OpenResponse): () => void {
    this.#responses.add(response);
    this.#timer ??= outsideRequests(() => setInterval(() => void this.check(), CHECK_MS).unref());
    return () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) this[Symbol.dispose]();
    };
  }

  /** Closes the responses whose link is no longer open to their readers. Never throws. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const responses = [...this.#responses];
      const open = await this.#deps.pages.findOpen(responses);
      for (const [index, response] of responses.entries()) if (open[index] !== true) response.close();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "links of open responses could not be checked");
    } finally {
      this.#isChecking = false;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
