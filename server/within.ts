import { setTimeout } from "node:timers/promises";

/** Settles with the work, or after `ms` at the latest; the work goes on. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  const timeout = setTimeout(ms, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  done.abort();
}
