import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { withTimeout } from "../concurrency/with-timeout.ts";
import type { Log } from "../log.ts";
import { type Bus, LocalBus } from "./bus.ts";
import { LinkedTopics } from "./linked-topics.ts";
import { RedisLink } from "./redis-link.ts";

const START_WAIT_MS = 2 * SECOND;
const FIRST_BACKOFF_MS = SECOND / 4;
const MAX_BACKOFF_MS = 10 * SECOND;
const FLUSH_MS = SECOND / 2;

export type RedisBusDeps = {
  url: string;
  log: Log;
  /** Prefix of every channel name; the same for all servers of one installation. */
  prefix: string;
};

/**
 * A bus between all servers of an installation while Redis is available. Notifications of this process are delivered
 * locally, without Redis. While Redis is unavailable the bus is local; after a reconnect all subscribers are notified,
 * because they may have missed something.
 */
export class RedisBus implements Bus {
  readonly #deps: RedisBusDeps;
  readonly #local = new LocalBus({ hearsAll: false });
  readonly #sender = randomUUID();
  readonly #listenerCounts = new Map<string, number>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #link: RedisLink | undefined;
  #topics: LinkedTopics | undefined;
  #isAway = false;

  private constructor(deps: RedisBusDeps, onTried: () => void) {
    this.#deps = deps;
    this.#running = this.#stayLinked(onTried);
  }

  /** Waits briefly for the first connection: without Redis everything works, only with polling. */
  static async open(deps: RedisBusDeps): Promise<RedisBus> {
    const tried = Promise.withResolvers<void>();
    const bus = new RedisBus(deps, tried.resolve);
    await Promise.race([tried.promise, setTimeout(START_WAIT_MS, undefined, { ref: false })]);
    return bus;
  }

  get hearsAll(): boolean {
    return this.#link !== undefined;
  }

  publish(topic: string): void {
    this.#local.publish(topic);
    this.#link?.publish(this.#deps.prefix + topic, this.#sender);
  }

  subscribe(topic: string, listener: () => void): () => void {
    const leave = this.#local.subscribe(topic, listener);
    this.#count(topic, 1);
    let isListening = true;
    return () => {
      if (!isListening) return;
      isListening = false;
      leave();
      this.#count(topic, -1);
    };
  }

  #count(topic: string, change: 1 | -1): void {
    const count = (this.#listenerCounts.get(topic) ?? 0) + change;
    if (count === 0) this.#listenerCounts.delete(topic);
    else this.#listenerCounts.set(topic, count);
    if (count === 0 || (count === 1 && change === 1)) this.#topics?.settle([topic]);
  }

  async #stayLinked(onTried: () => void): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; failures++) {
      const wasLinked = await this.#linkOnce(onTried);
      onTried();
      if (wasLinked) failures = 0;
      const waitMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS) * (0.5 + Math.random());
      await setTimeout(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** @returns whether there was a connection, once it has ended */
  async #linkOnce(onLinked: () => void): Promise<boolean> {
    const hear = (channel: string, sender: string) => {
      if (sender !== this.#sender) this.#local.publish(channel.slice(this.#deps.prefix.length));
    };
    try {
      using link = await RedisLink.open(this.#deps.url, hear, this.#closing.signal);
      this.#topics = new LinkedTopics(link, this.#deps.prefix, {
        isWanted: (topic) => this.#listenerCounts.has(topic),
        // Anything published before the subscription is found by a check of the database.
        onHeard: (topic) => this.#local.publish(topic),
      });
      this.#link = link;
      this.#noteBack();
      this.#topics.settle([...this.#listenerCounts.keys()]);
      onLinked();
      this.#noteAway(await link.ended);
      return true;
    } catch (error) {
      this.#noteAway(error);
      return false;
    } finally {
      this.#link = undefined;
      this.#topics = undefined;
    }
  }

  #noteBack(): void {
    if (this.#isAway) this.#deps.log.info("Redis is available again");
    this.#isAway = false;
  }

  #noteAway(error: unknown): void {
    if (this.#isAway || this.#closing.signal.aborted) return;
    this.#isAway = true;
    this.#deps.log.warn({ err: error }, "Redis is unavailable: changes by other servers arrive later");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#link) await withTimeout(this.#link.flush(), FLUSH_MS);
    this.#closing.abort();
    await this.#running;
    await this.#local[Symbol.asyncDispose]();
  }
}
