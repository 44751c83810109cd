import { useMemo } from "react";
import { Query } from "../queries/query.ts";
import { type QueryResult, useQuery } from "../queries/use-query.ts";

/**
 * A query of this component alone: it begins without a value, which fields start from, and is forgotten with the
 * component. `load` stays the same function.
 */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>): QueryResult<T> {
  return useQuery(useMemo(() => new Query(load), [load]));
}
