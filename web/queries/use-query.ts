import { useEffect } from "react";
import { useStore } from "../store/use-store.ts";
import type { Query, QueryState } from "./query.ts";

/** A query as a component uses it. */
export type QueryResult<T> = QueryState<T> & Pick<Query<T>, "reload" | "change">;

/**
 * The state of a query, which is read anew when the component appears.
 * @param isWanted observes the query only while true
 */
export function useQuery<T>(query: Query<T>, isWanted = true): QueryResult<T> {
  const state = useStore(query.state);
  useEffect(() => (isWanted ? query.observe() : undefined), [query, isWanted]);
  return { ...state, reload: query.reload, change: query.change };
}
