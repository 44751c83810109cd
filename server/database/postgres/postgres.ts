import { Socket } from "node:net";
import { PostgresDialect } from "kysely";
import pg from "pg";
import { SECOND } from "#contract/limits.ts";
import type { PoolCounts } from "../watch.ts";
import { ConnectionQueue } from "./connection-queue.ts";

const BIGINT_OID = 20;
/** Time for what had arrived while this process itself was held up. */
const LAST_CALL_MS = 0.2 * SECOND;

export type PostgresSettings = {
  connectionString: string;
  /** A connection in use that says nothing for so long (ms) is taken for lost, and with it the query. */
  silenceMs?: number;
  connections?: number;
  /** How long a query waits for a connection while the database answers others (ms). */
  maxWaitMs?: number;
  /** Told of the pool, for who counts its connections. */
  onPool?: (pool: PoolCounts) => void;
};

const CONNECT_TIMEOUT_MS = 1.5 * SECOND;
/** Three sends of each of a hundred people at once are stored within this time. */
const MAX_WAIT_MS = 10 * SECOND;
/** A row that another transaction holds for so long (ms) is given up, before the connection is taken for lost. */
const LOCK_TIMEOUT_MS = SECOND;
/** A process or host that died in the middle of a transaction must not hold its rows for hours. */
const IDLE_TRANSACTION_MS = 10 * SECOND;

/** Kysely's PostgreSQL dialect on a pool; bigint columns (times, counts) read as numbers. */
export function openPostgresDialect({
  connectionString,
  silenceMs,
  connections = 10,
  maxWaitMs = MAX_WAIT_MS,
  onPool,
}: PostgresSettings): PostgresDialect {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) =>
      oid === BIGINT_OID && format !== "binary" ? Number : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    ...(silenceMs !== undefined && { lock_timeout: LOCK_TIMEOUT_MS }),
  });
  const queue = new ConnectionQueue(pool, { connections, maxWaitMs, silenceMs: silenceMs ?? maxWaitMs });
  onPool?.(queue);
  // Whoever waits for a query is told by it, and a lost connection is replaced at the next one. Unheard, the same error
  // of an idle connection (told by the pool) or of one in use (told by itself) would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    queue.watch(socketOf(client));
    if (silenceMs !== undefined) breakSilence(socketOf(client));
  });
  if (silenceMs !== undefined) {
    pool.on("acquire", (client) => socketOf(client)?.setTimeout(silenceMs));
    pool.on("release", (_error, client) => socketOf(client)?.setTimeout(0));
  }
  return new PostgresDialect({
    pool: { connect: () => queue.connect(), end: () => queue.end(), options: pool.options },
  });
}

function socketOf({ connection: { stream } }: pg.PoolClient): Socket | undefined {
  return stream instanceof Socket ? stream : undefined;
}

/** A time limit of the query itself would leave its connection waiting for the answer. */
function breakSilence(socket: Socket | undefined): void {
  socket?.on("timeout", () => {
    const bytesBefore = socket.bytesRead;
    setTimeout(() => {
      if (socket.bytesRead === bytesBefore && socket.timeout) socket.destroy();
    }, LAST_CALL_MS);
  });
}
