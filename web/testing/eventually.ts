import { vi } from "vitest";

/** Timeout against hanging tests, not a measurement: a busy machine may be slow. */
const PATIENCE_MS = 60_000;

/** Polls until `check` no longer throws. Only for states that persist: a transient one may fall between two polls. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS });
}
