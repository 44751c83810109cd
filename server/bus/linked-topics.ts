import type { RedisLink } from "./redis-link.ts";

/** Maximum of channels in one command. */
const BATCH = 1000;

type Wishes = { isWanted(topic: string): boolean; onHeard(topic: string): void };

/** Synchronises the subscriptions of a connection with the wanted topics, in batches. */
export class LinkedTopics {
  readonly #link: RedisLink;
  readonly #prefix: string;
  readonly #wishes: Wishes;
  readonly #heard = new Set<string>();
  readonly #unsettled = new Set<string>();
  #isSettling = false;

  constructor(link: RedisLink, prefix: string, wishes: Wishes) {
    this.#link = link;
    this.#prefix = prefix;
    this.#wishes = wishes;
  }

  /** Must be called for every topic that gains its first subscriber or loses its last. */
  settle(topics: readonly string[]): void {
    for (const topic of topics) this.#unsettled.add(topic);
    if (this.#isSettling) return;
    this.#isSettling = true;
    // A connection that cannot subscribe is closed, and a new one is opened.
    this.#settle().catch(() => this.#link[Symbol.dispose]());
  }

  async #settle(): Promise<void> {
    // Waits a microtask, to batch topics that are requested together.
    await Promise.resolve();
    while (this.#unsettled.size > 0) {
      const topics = [...this.#unsettled].slice(0, BATCH);
      for (const topic of topics) this.#unsettled.delete(topic);
      const wanted = topics.filter((topic) => this.#wishes.isWanted(topic) && !this.#heard.has(topic));
      const left = topics.filter((topic) => !this.#wishes.isWanted(topic) && this.#heard.has(topic));
      if (wanted.length > 0) await this.#link.subscribe(wanted.map((topic) => this.#prefix + topic));
      for (const topic of wanted) {
        this.#heard.add(topic);
        this.#wishes.onHeard(topic);
      }
      if (left.length > 0) await this.#link.unsubscribe(left.map((topic) => this.#prefix + topic));
      for (const topic of left) this.#heard.delete(topic);
    }
    this.#isSettling = false;
  }
}
