import { Failure } from "../failure.ts";

const RETRY_SECONDS = 2;

/** One import of an account at a time in this process: each may hold a whole body in memory. */
export class ImportTurns {
  readonly #busy = new Set<string>();

  /**
   * Begins an import.
   * @returns what ends it; called again it does nothing
   * @throws Failure `too-many-requests` while another one of the account is under way
   */
  begin(userId: string): () => void {
    if (this.#busy.has(userId)) throw new Failure("too-many-requests", { retryAfterSeconds: RETRY_SECONDS });
    this.#busy.add(userId);
    let isOver = false;
    return () => {
      if (!isOver) this.#busy.delete(userId);
      isOver = true;
    };
  }
}
