import type { Socket } from "node:net";
import type pg from "pg";
import { SECOND } from "#contract/limits.ts";
import { outsideRequests } from "../../concurrency/outside-requests.ts";
import type { PoolCounts } from "../watch.ts";

export type ConnectionQueueSettings = {
  /** Maximum size of the pool. */
  connections: number;
  /** Maximum wait for a connection. */
  maxWaitMs: number;
  /** Maximum wait while the database sends nothing. */
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
 * A FIFO queue in front of a pool that distinguishes a busy database from an unavailable one: requests wait for long
 * only while connections of the pool receive bytes. The pool's own queue has one timeout for both cases, and stays
 * empty.
 */
export class ConnectionQueue implements PoolCounts {
  readonly #pool: pg.Pool;
  readonly #settings: ConnectionQueueSettings;
  readonly #waiting = new Set<Waiter>();
  #inUse = 0;
  /** Silence is counted in ticks, so that time in which this process itself was blocked does not count. */
  #tick = 0;
  #lastAnswerTick = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, settings: ConnectionQueueSettings) {
    this.#pool = pool;
    this.#settings = settings;
    pool.on("release", () => {
      this.#inUse--;
      // The pool emits this event before the connection is idle.
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

  /** Counts bytes that a new connection receives as answers of the database. */
  watch(socket: Socket | undefined): void {
    socket?.on("data", () => {
      this.#lastAnswerTick = this.#tick;
    });
  }

  /** @throws an error for which `isDatabaseAway` is true if no connection is free in time */
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

  /** Skips waiters that already have their connection; there are at most as many as connections. */
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
