import { useEffect } from "react";
import { useStore } from "../store/use-store.ts";
import type { Query, QueryState } from "./query.ts";

/** State of a query with its functions for components. */
export type QueryResult<T> = QueryState<T> & Pick<Query<T>, "reload" | "change">;

/**
 * Returns the state of a query, which is read again on mount.
 * @param isWanted observes the query only while true
 */
export function useQuery<T>(query: Query<T>, isWanted = true): QueryResult<T> {
  const state = useStore(query.state);
  useEffect(() => (isWanted ? query.observe() : undefined), [query, isWanted]);
  return { ...state, reload: query.reload, change: query.change };
}
