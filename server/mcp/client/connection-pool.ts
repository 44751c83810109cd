import { isDeepStrictEqual } from "node:util";
import { MINUTE } from "#contract/limits.ts";
import { KeyedSemaphore } from "../../concurrency/keyed-semaphore.ts";
import type { McpServer } from "../mcp-server.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionOwner, Lease, PoolDeps } from "./pool-deps.ts";
import { ProgramPool } from "./program-pool.ts";

const IDLE_MS = 5 * MINUTE;
const [OF_OWNER_MAX, ALL_MAX] = [8, 256];

type Idle = { key: string; connection: Connection; cancel(): void };

/**
 * Connections over HTTP belong to one account and have one call at a time; an idle one is reused, the last first, and
 * closed after five minutes. Programs are in a pool of their own.
 */
export class ConnectionPool implements AsyncDisposable {
  readonly #deps: PoolDeps;
  readonly #slots = new KeyedSemaphore({
    atOnce: ALL_MAX,
    maxWaiting: 1000,
    perAccount: { atOnce: OF_OWNER_MAX, maxWaiting: 200, retryAfterSeconds: 5 },
  });
  /** The oldest first. */
  #idle: Idle[] = [];
  readonly #used = new Map<Connection, string>();
  readonly #programs: ProgramPool;
  #isClosed = false;

  constructor(deps: PoolDeps) {
    this.#deps = deps;
    this.#programs = new ProgramPool(deps);
  }

  /** @throws what opening does; Failure if too many wait; the signal's reason */
  async acquire(owner: ConnectionOwner, signal: AbortSignal): Promise<Lease> {
    if (owner.server.transport.kind === "stdio") {
      return { connection: await this.#programs.acquire(owner, signal), isReused: false, release: () => undefined };
    }
    const key = keyOf(owner);
    const releaseSlot = await this.#slots.acquire({ account: key, network: key }, signal);
    try {
      const reused = this.#reuse(key, owner.server);
      const connection = reused ?? (await this.#deps.open(owner, signal));
      if (this.#isClosed) await connection.close();
      this.#used.set(connection, key);
      const release = () => {
        releaseSlot();
        this.#release(connection, key);
      };
      return { connection, isReused: reused !== undefined, release };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  /** Closes the connections to a server, of one account or of all. */
  async close(serverKey: string, userId?: string): Promise<void> {
    const isMeant = (key: string) =>
      userId === undefined ? key.startsWith(`${serverKey} `) : key === `${serverKey} ${userId}`;
    const idle = this.#idle.filter(({ key }) => isMeant(key));
    this.#idle = this.#idle.filter((each) => !idle.includes(each));
    for (const { cancel } of idle) cancel();
    const used = [...this.#used].filter(([, key]) => isMeant(key)).map(([connection]) => connection);
    await Promise.all([...idle.map(({ connection }) => connection), ...used].map((each) => each.close()));
    if (userId === undefined) await this.#programs.close(serverKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#slots[Symbol.dispose]();
    for (const { cancel } of this.#idle) cancel();
    const connections = [...this.#idle.map(({ connection }) => connection), ...this.#used.keys()];
    await Promise.all([...connections.map((each) => each.close()), this.#programs[Symbol.asyncDispose]()]);
  }

  #reuse(key: string, { transport }: McpServer): Connection | undefined {
    for (;;) {
      const index = this.#idle.findLastIndex((each) => each.key === key);
      const [idle] = index === -1 ? [] : this.#idle.splice(index, 1);
      if (!idle) return undefined;
      idle.cancel();
      const isCurrent = isDeepStrictEqual(idle.connection.server.transport, transport);
      if (isCurrent && !idle.connection.isClosed) return idle.connection;
      void idle.connection.close();
    }
  }

  #release(connection: Connection, key: string): void {
    this.#used.delete(connection);
    if (connection.isClosed || this.#isClosed) return;
    const cancel = this.#deps.schedule(() => {
      this.#idle = this.#idle.filter((each) => each.connection !== connection);
      void connection.close();
    }, IDLE_MS);
    this.#idle.push({ key, connection, cancel });
    if (this.#idle.length + this.#used.size <= ALL_MAX) return;
    const oldest = this.#idle.shift();
    oldest?.cancel();
    void oldest?.connection.close();
  }
}

const keyOf = ({ server, userId }: ConnectionOwner) => `${server.key} ${userId}`;
