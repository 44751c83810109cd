import { useCallback, useState } from "react";
import type { SecurityEvent } from "#contract/sessions.ts";
import { accountQuery } from "../../queries/query.ts";
import { type QueryResult, useQuery } from "../../queries/use-query.ts";
import { type RunningAction, useAction } from "../form/use-action.ts";
import { settingsApi } from "../settings-api.ts";
import { type ReadLog, withNewest, withOlder } from "./merge-log.ts";

const newestQuery = accountQuery((signal) => settingsApi.readSecurityLog(null, signal));

export type SecurityLog = {
  newest: QueryResult<SecurityEvent[]>;
  events: readonly SecurityEvent[];
  hasMore: boolean;
  /** Resolves to the id of the event to go on reading at: the first that came, else the last; null where it failed. */
  showMore: () => Promise<string | null>;
  more: RunningAction<"more">;
};

/** The log by pages: the newest one, which is read again now and then, and the older ones that were asked for. */
export function useSecurityLog(): SecurityLog {
  const newest = useQuery(newestQuery);
  const more = useAction<"more">();
  const [log, setLog] = useState<ReadLog>(null);
  const [merged, setMerged] = useState<SecurityEvent[] | null>(null);
  if (newest.value !== null && newest.value !== merged) {
    setMerged(newest.value);
    setLog(withNewest(log, newest.value));
  }
  const last = log?.events.at(-1)?.id ?? null;
  const { run } = more;

  const showMore = useCallback(async () => {
    let goOnAt: string | null = null;
    if (last === null) return goOnAt;
    await run("more", async () => {
      const page = await settingsApi.readSecurityLog(last, new AbortController().signal);
      goOnAt = page[0]?.id ?? last;
      setLog((before) => withOlder(before, last, page));
    });
    return goOnAt;
  }, [run, last]);

  return { newest, events: log?.events ?? [], hasMore: log?.hasMore ?? false, showMore, more };
}
