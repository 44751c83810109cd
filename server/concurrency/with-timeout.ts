import { setTimeout } from "node:timers/promises";

/** Waits for the work, at most `ms`. Does not cancel slower work, and rejects only if the work rejects in time. */
export async function withTimeout(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  const timeout = setTimeout(ms, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  done.abort();
}
