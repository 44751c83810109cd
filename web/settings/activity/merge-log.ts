import { SECURITY_LOG_PAGE, type SecurityEvent } from "#contract/sessions.ts";

/** What was read of the log, newest first and without a gap; null before. */
export type ReadLog = { events: readonly SecurityEvent[]; hasMore: boolean } | null;

const hasMoreAfter = (page: readonly SecurityEvent[]) => page.length >= SECURITY_LOG_PAGE;

/**
 * The log with its newest page, read anew: what was read before stays behind it. Where the two have no event in common,
 * others may lie between them, so that the page begins the log anew.
 */
export function withNewest(log: ReadLog, page: readonly SecurityEvent[]): NonNullable<ReadLog> {
  const inPage = new Set(page.map(({ id }) => id));
  const rest = log?.events.filter(({ id }) => !inPage.has(id)) ?? [];
  if (!log || rest.length === log.events.length) return { events: page, hasMore: hasMoreAfter(page) };
  return { events: [...page, ...rest], hasMore: log.hasMore };
}

/** The log with the page that was asked for after `before`, its last event then; as it is where it ends elsewhere now. */
export function withOlder(log: ReadLog, before: string, page: readonly SecurityEvent[]): ReadLog {
  if (log?.events.at(-1)?.id !== before) return log;
  return { events: [...log.events, ...page], hasMore: hasMoreAfter(page) };
}
