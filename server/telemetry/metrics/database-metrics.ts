import { Gauge, Histogram, type Registry } from "prom-client";
import { SECOND } from "#contract/limits.ts";
import type { DatabaseWatch, PoolCounts } from "../../database/watch.ts";

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2];

/** Measures statements, including commits, and the connections of PostgreSQL's pools. */
export function databaseMetrics(registry: Registry): DatabaseWatch {
  const durations = new Histogram({
    name: "parley_database_query_duration_seconds",
    help: "Time of a statement, by what it does; commit is where a transaction becomes durable",
    labelNames: ["operation", "outcome"],
    buckets: SECONDS,
    registers: [registry],
  });
  const pools = new Map<string, PoolCounts>();
  const connections: Gauge = new Gauge({
    name: "parley_database_connections",
    help: "PostgreSQL connections of this process, by pool: in use and idle, and requests waiting for one",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect: () => {
      for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
        connections.set({ pool, state: "used" }, totalCount - idleCount);
        connections.set({ pool, state: "idle" }, idleCount);
        connections.set({ pool, state: "waiting" }, waitingCount);
      }
    },
  });
  return {
    onQuery: ({ operation, ms, hasFailed }) =>
      durations.observe({ operation, outcome: hasFailed ? "failed" : "ok" }, ms / SECOND),
    onPool: (name, pool) => pools.set(name, pool),
  };
}
