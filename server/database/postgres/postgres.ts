import { Socket } from "node:net";
import { PostgresDialect } from "kysely";
import pg from "pg";
import { SECOND } from "#contract/limits.ts";
import type { PoolCounts } from "../watch.ts";
import { ConnectionQueue } from "./connection-queue.ts";

const BIGINT_OID = 20;
/** Time to process data that arrived while this process itself was blocked. */
const LAST_CALL_MS = 0.2 * SECOND;

export type PostgresSettings = {
  connectionString: string;
  /** A connection in use that sends nothing for this time (ms) counts as lost, and its query fails. */
  silenceMs?: number;
  connections?: number;
  /** Maximum wait (ms) of a query for a connection while the database answers other queries. */
  maxWaitMs?: number;
  /** Is called with the pool, to observe its number of connections. */
  onPool?: (pool: PoolCounts) => void;
};

const CONNECT_TIMEOUT_MS = 1.5 * SECOND;
/** Three sends of each of a hundred people at the same time are stored within this time. */
const MAX_WAIT_MS = 10 * SECOND;
/** Maximum wait for a row lock: fails before the connection counts as lost. */
const LOCK_TIMEOUT_MS = SECOND;
/** Limits how long a process or host that died during a transaction holds its row locks. */
const IDLE_TRANSACTION_MS = 10 * SECOND;

/** Kysely's PostgreSQL dialect on a pool. Columns of type bigint (times, counts) are read as numbers. */
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
  // The failed query itself rejects, and the next query replaces the lost connection. Without listeners, an `error`
  // event of an idle connection (from the pool) or of one in use (from the client) would end the process.
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

/** Destroys a silent connection. A timeout of the query alone would leave its connection waiting for the answer. */
function breakSilence(socket: Socket | undefined): void {
  socket?.on("timeout", () => {
    const bytesBefore = socket.bytesRead;
    setTimeout(() => {
      if (socket.bytesRead === bytesBefore && socket.timeout) socket.destroy();
    }, LAST_CALL_MS);
  });
}
