/**
 * Notifications between the modules of one server and, if several servers share a database, between all of them. A
 * notification says only that something changed; the change itself is in the database. So a lost notification delays,
 * but never loses data.
 */
export interface Bus extends AsyncDisposable {
  /** Notifies all subscribers of the topic, here and on other servers. Never throws. */
  publish(topic: string): void;
  /** Adds a listener. @returns a function that removes it */
  subscribe(topic: string, listener: () => void): () => void;
  /** Whether notifications of all servers arrive now; if not, subscribers must poll the database. */
  readonly hearsAll: boolean;
}

/** A bus within one process. `hearsAll` is true if no other process writes to its database. */
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
  /** A stop of the reply was requested. */
  stop: (replyId: string) => `stop:${replyId}`,
  /** A person has answered a question of a running call of the reply. */
  answers: (replyId: string) => `answers:${replyId}`,
  /** The settings of the installation have changed. */
  settings: "settings",
  /** Connections to providers, or their models, have changed. */
  connections: "connections",
  /** The session has ended. */
  session: (sessionId: string) => `session:${sessionId}`,
} as const;
