import { useCallback, useState } from "react";
import { SECURITY_LOG_PAGE, type SecurityEvent } from "#contract/sessions.ts";
import { accountQuery } from "../../queries/query.ts";
import { type QueryResult, useQuery } from "../../queries/use-query.ts";
import { type RunningAction, useAction } from "../form/use-action.ts";
import { settingsApi } from "../settings-api.ts";

/** What was read of the log, newest first and without a gap; null before. */
type ReadLog = { events: readonly SecurityEvent[]; hasMore: boolean } | null;

const hasMoreAfter = (page: readonly SecurityEvent[]) => page.length >= SECURITY_LOG_PAGE;

/**
 * The log with its newest page, read anew: what was read before stays behind it. Where the two have no event in common,
 * others may lie between them, so that the page begins the log anew.
 */
function withNewest(log: ReadLog, page: readonly SecurityEvent[]): NonNullable<ReadLog> {
  const inPage = new Set(page.map(({ id }) => id));
  const rest = log?.events.filter(({ id }) => !inPage.has(id)) ?? [];
  if (!log || rest.length === log.events.length) return { events: page, hasMore: hasMoreAfter(page) };
  return { events: [...page, ...rest], hasMore: log.hasMore };
}

/** The log with the page that was asked for after `before`, its last event then; as it is where it ends elsewhere now. */
function withOlder(log: ReadLog, before: string, page: readonly SecurityEvent[]): ReadLog {
  if (log?.events.at(-1)?.id !== before) return log;
  return { events: [...log.events, ...page], hasMore: hasMoreAfter(page) };
}

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
