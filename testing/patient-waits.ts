/** Before each file of tests: what is waited for may take a busy machine longer than Vitest's one second. */

import { vi } from "vitest";

const PATIENCE_MS = 15_000;
const { waitFor, waitUntil } = vi;

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));

type WaitOptions = Exclude<Parameters<typeof waitFor>[1], number | undefined>;

/** Who says how long is taken at the word. */
function patient(options: WaitOptions | number | undefined): WaitOptions {
  return { timeout: PATIENCE_MS, ...(typeof options === "number" ? { timeout: options } : options) };
}
