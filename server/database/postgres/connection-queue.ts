import type { Socket } from "node:net";
import type pg from "pg";
import { SECOND } from "#contract/limits.ts";
import { outsideRequests } from "../../concurrency/outside-requests.ts";
import type { PoolCounts } from "../watch.ts";

export type ConnectionQueueSettings = {
  /** As many as the pool has at most. */
  connections: number;
  /** The longest wait for a connection. */
  maxWaitMs: number;
  /** The longest wait while the database answers nothing. */
  silenceMs: number;
};

const TICK_MS = SECOND / 10;

type Waiter = {
  sinceMs: number;
  sinceTick: number;
  isServed: boolean;
  resolve: (client: pg.PoolClient) => void;
  reject: (error: Error) => void;
};

/**
 * A FIFO queue in front of a pool, which tells a busy database from an absent one: requests wait for long only while
 * connections of the pool receive bytes. The pool's own queue has one time limit for both cases, and stays empty.
 */
export class ConnectionQueue implements PoolCounts {
  readonly #pool: pg.Pool;
  readonly #settings: ConnectionQueueSettings;
  readonly #waiting = new Set<Waiter>();
  #inUse = 0;
  /** Silence is counted in ticks: while this process itself is held up, there is none. */
  #tick = 0;
  #lastAnswerTick = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, settings: ConnectionQueueSettings) {
    this.#pool = pool;
    this.#settings = settings;
    pool.on("release", () => {
      this.#inUse--;
      // The pool emits this before the connection is idle.
      queueMicrotask(() => this.#serve());
    });
  }

  get totalCount(): number {
    return this.#pool.totalCount;
  }

  get idleCount(): number {
    return this.#pool.idleCount;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Counts what a new connection of the pool receives as answers of the database. */
  watch(socket: Socket | undefined): void {
    socket?.on("data", () => {
      this.#lastAnswerTick = this.#tick;
    });
  }

  /** @throws an error of `isDatabaseAway` where no connection comes in time */
  connect(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    const now = performance.now();
    this.#waiting.add({ sinceMs: now, sinceTick: this.#tick, isServed: false, resolve, reject });
    this.#timer ??= outsideRequests(() => setInterval(() => this.#refuseLate(), TICK_MS).unref());
    this.#serve();
    return promise;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    for (const waiter of this.#waiting) this.#refuse(waiter, new Error("Connection terminated: the pool is closed"));
    await this.#pool.end();
  }

  #serve(): void {
    while (this.#inUse < this.#settings.connections) {
      const waiter = this.#nextWaiter();
      if (!waiter) return;
      waiter.isServed = true;
      this.#inUse++;
      void this.#connectFor(waiter);
    }
  }

  /** At most as many waiters as there are connections come before it: a waiter leaves the queue once it has its own. */
  #nextWaiter(): Waiter | undefined {
    for (const waiter of this.#waiting) if (!waiter.isServed) return waiter;
    return undefined;
  }

  async #connectFor(waiter: Waiter): Promise<void> {
    try {
      const client = await this.#pool.connect();
      if (this.#waiting.delete(waiter)) waiter.resolve(client);
      else client.release();
    } catch (error) {
      this.#inUse--;
      this.#refuse(waiter, error instanceof Error ? error : new Error(String(error)));
      this.#serve();
    }
  }

  #refuseLate(): void {
    this.#tick++;
    const { maxWaitMs, silenceMs } = this.#settings;
    for (const waiter of this.#waiting) {
      const silentMs = (this.#tick - Math.max(waiter.sinceTick, this.#lastAnswerTick)) * TICK_MS;
      const isLate = silentMs >= silenceMs || performance.now() - waiter.sinceMs >= maxWaitMs;
      if (isLate)
        this.#refuse(waiter, new Error("timeout exceeded when trying to connect: all connections are in use"));
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #refuse(waiter: Waiter, error: Error): void {
    if (this.#waiting.delete(waiter)) waiter.reject(error);
  }
}
