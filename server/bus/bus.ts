/**
 * Nudges between the parts of one server and, where several share a database, between them all. A nudge says only that
 * there is something new; what it is stands in the database, so that a lost one delays and never loses.
 */
export interface Bus extends AsyncDisposable {
  /** Tells all who listen to this topic, here and on other servers. Never throws. */
  publish(topic: string): void;
  /** Returns the way to listen no more. */
  subscribe(topic: string, listener: () => void): () => void;
  /** Whether what all servers publish is heard now; where not, what others did is to be looked for. */
  readonly hearsAll: boolean;
}

/** Between the parts of one process; `hearsAll` as long as no other works on its database. */
export class LocalBus implements Bus {
  readonly hearsAll: boolean;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor({ hearsAll }: { hearsAll: boolean }) {
    this.hearsAll = hearsAll;
  }

  publish(topic: string): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) listener();
  }

  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
  }
}

export const topics = {
  /** The account's chats have changed. */
  account: (userId: string) => `account:${userId}`,
  /** More of the reply is stored, or it has ended. */
  reply: (replyId: string) => `reply:${replyId}`,
  /** Somebody asks for the reply to stop. */
  stop: (replyId: string) => `stop:${replyId}`,
  /** The session has ended. */
  session: (sessionId: string) => `session:${sessionId}`,
} as const;
