import { useCallback, useState } from "react";
import { SECURITY_LOG_PAGE, type SecurityEvent } from "#contract/accounts/sessions.ts";
import { type RunningAction, useAction } from "../../forms/use-action.ts";
import { accountQuery } from "../../queries/query.ts";
import { type QueryResult, useQuery } from "../../queries/use-query.ts";
import { settingsApi } from "../settings-api.ts";

/** Loaded events of the log, newest first and without a gap; null before the first load. */
type ReadLog = { events: readonly SecurityEvent[]; hasMore: boolean } | null;

const hasMoreAfter = (page: readonly SecurityEvent[]) => page.length >= SECURITY_LOG_PAGE;

/**
 * Merges a new newest page with the loaded events. If they share no event, there may be a gap between them, so the page
 * replaces the log.
 */
function withNewest(log: ReadLog, page: readonly SecurityEvent[]): NonNullable<ReadLog> {
  const inPage = new Set(page.map(({ id }) => id));
  const rest = log?.events.filter(({ id }) => !inPage.has(id)) ?? [];
  if (!log || rest.length === log.events.length) return { events: page, hasMore: hasMoreAfter(page) };
  return { events: [...page, ...rest], hasMore: log.hasMore };
}

/** Appends the page that was requested after the event `before`, unless the log no longer ends with that event. */
function withOlder(log: ReadLog, before: string, page: readonly SecurityEvent[]): ReadLog {
  if (log?.events.at(-1)?.id !== before) return log;
  return { events: [...log.events, ...page], hasMore: hasMoreAfter(page) };
}

const newestQuery = accountQuery((signal) => settingsApi.readSecurityLog(null, signal));

export type SecurityLog = {
  newest: QueryResult<SecurityEvent[]>;
  events: readonly SecurityEvent[];
  hasMore: boolean;
  /** Resolves to the id of the event to focus: the first new one, else the last of all; null after a failure. */
  showMore: () => Promise<string | null>;
  more: RunningAction<"more">;
};

/** Loads the log by pages: the newest one, which is refreshed, and older ones on request. */
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
