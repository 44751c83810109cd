import type { KyselyConfig, LogEvent } from "kysely";

/** A finished statement. `operation`: one of a few verbs, including `begin` and `commit` of a transaction. */
export type WatchedQuery = { operation: string; ms: number; hasFailed: boolean };

/** Connections of a pool: all, idle ones, and requests that wait for one. */
export type PoolCounts = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** Instruments a database. Without a watch, statements are not timed. */
export type DatabaseWatch = {
  onQuery?(query: WatchedQuery): void;
  /** Is called once for each pool. */
  onPool?(name: string, pool: PoolCounts): void;
  /** Wraps each transaction, from before it has a connection to its end. */
  transaction?<T>(work: () => Promise<T>): Promise<T>;
};

const operations: Readonly<Record<string, string>> = {
  SelectQueryNode: "select",
  InsertQueryNode: "insert",
  UpdateQueryNode: "update",
  DeleteQueryNode: "delete",
};
const TRANSACTION = /^(begin|commit|rollback)\b/;

/** Returns Kysely's log option for a watch. */
export function logOf({ onQuery }: DatabaseWatch): Pick<KyselyConfig, "log"> {
  if (!onQuery) return {};
  return {
    log: (event) =>
      onQuery({ operation: operationOf(event), ms: event.queryDurationMillis, hasFailed: event.level === "error" }),
  };
}

function operationOf({ query: { query, sql } }: LogEvent): string {
  return operations[query.kind] ?? TRANSACTION.exec(sql)?.[1] ?? "other";
}
