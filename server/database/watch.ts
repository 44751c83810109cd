import type { KyselyConfig, LogEvent } from "kysely";

/** One statement at its end. `operation`: what it does, one of a few words; a transaction's `begin` and `commit` too. */
export type WatchedQuery = { operation: string; ms: number; hasFailed: boolean };

/** The connections of a pool: all there are, those of them that nobody uses, and those who wait for one. */
export type PoolCounts = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** Whoever measures a database; where nobody does, statements are not timed. */
export type DatabaseWatch = {
  onQuery?(query: WatchedQuery): void;
  /** Told once of each pool. */
  onPool?(name: string, pool: PoolCounts): void;
  /** Does each transaction, from before its connection is there to its end. */
  transaction?<T>(work: () => Promise<T>): Promise<T>;
};

const operations: Readonly<Record<string, string>> = {
  SelectQueryNode: "select",
  InsertQueryNode: "insert",
  UpdateQueryNode: "update",
  DeleteQueryNode: "delete",
};
const TRANSACTION = /^(begin|commit|rollback)\b/;

/** What Kysely is told of a watch. */
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
