import type { RedisLink } from "./redis-link.ts";

/** Channels in one command. */
const BATCH = 1000;

type Wishes = { isWanted(topic: string): boolean; onHeard(topic: string): void };

/** Keeps what a connection is subscribed to in step with what is wanted, many topics at a time. */
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

  /** To be told of every topic that is wanted anew or no more. */
  settle(topics: readonly string[]): void {
    for (const topic of topics) this.#unsettled.add(topic);
    if (this.#isSettling) return;
    this.#isSettling = true;
    // A connection that cannot subscribe is of no use.
    this.#settle().catch(() => this.#link[Symbol.dispose]());
  }

  async #settle(): Promise<void> {
    // For those that come together.
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
