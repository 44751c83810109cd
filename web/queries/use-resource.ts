import { useMemo } from "react";
import { Query } from "./query.ts";
import { type QueryResult, useQuery } from "./use-query.ts";

/**
 * Runs a query without a shared cache: it starts without a value, so that fields start from a fresh one, and is dropped
 * on unmount. `load` must have a stable identity.
 */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>): QueryResult<T> {
  return useQuery(useMemo(() => new Query(load), [load]));
}
