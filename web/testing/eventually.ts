import { vi } from "vitest";

/** A net against hanging, not a measurement: a busy machine may need long for what is soon done. */
const PATIENCE_MS = 20_000;

/** Waits until `check` no longer throws. Only for what stays so once it is so: a passing state may be over between looks. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS });
}
