import { SECOND } from "#contract/limits.ts";
import { outsideRequests } from "../concurrency/outside-requests.ts";
import { withTimeout } from "../concurrency/with-timeout.ts";
import type { Log } from "../log.ts";
import type { ShareReader } from "./share-rules.ts";
import type { SharedPages } from "./shared-pages.ts";

/** Time between checks, and the longest one: together the second after which a revoked link is dead. */
const CHECK_MS = SECOND / 2;

/** A response to a reader of a link. `close` ends its connection. */
type OpenResponse = { shareId: string; reader: ShareReader; close(): void };

export type OpenResponsesDeps = { pages: Pick<SharedPages, "findOpen">; log: Log };

/**
 * Ends responses whose link was revoked or has ended while they were sent, wherever that was done: the database is polled
 * while there are any, because a notification of another process may be lost. Ends all responses if the database does not
 * answer, because their links may have been revoked.
 */
export class OpenResponses implements Disposable {
  readonly #deps: OpenResponsesDeps;
  readonly #responses = new Set<OpenResponse>();
  #timer: NodeJS.Timeout | undefined;

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
    const responses = [...this.#responses];
    const open = await this.#findOpen(responses);
    for (const [index, response] of responses.entries()) if (open?.[index] !== true) response.close();
  }

  /** @returns undefined if the database does not answer in time */
  async #findOpen(responses: readonly OpenResponse[]): Promise<boolean[] | undefined> {
    let open: boolean[] | undefined;
    const read = async () => {
      open = await this.#deps.pages.findOpen(responses);
    };
    try {
      await withTimeout(read(), CHECK_MS);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "links of open responses could not be checked");
    }
    return open;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
