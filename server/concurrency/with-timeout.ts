import { setTimeout } from "node:timers/promises";

/** Waits for the work, at most for `ms`. Does not cancel work that takes longer, and rejects only with the work. */
export async function withTimeout(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  const timeout = setTimeout(ms, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  done.abort();
}
