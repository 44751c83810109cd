/** Set-up file of tests: raises the timeout of `vi.waitFor`, because a busy machine may need more than Vitest's 1 s. */

import { vi } from "vitest";
import { HANG_MS } from "./wait-for.ts";

const { waitFor, waitUntil } = vi;

const waitForLonger: typeof waitFor = (callback, options) => waitFor(callback, withTimeout(options));
const waitUntilLonger: typeof waitUntil = (callback, options) => waitUntil(callback, withTimeout(options));

// Files that share a process share `vi`: without the check each of them would add a wrapper.
if (waitFor.name !== waitForLonger.name) Object.assign(vi, { waitFor: waitForLonger, waitUntil: waitUntilLonger });

type WaitOptions = Exclude<Parameters<typeof waitFor>[1], number | undefined>;

/** An explicit timeout wins. */
function withTimeout(options: WaitOptions | number | undefined): WaitOptions {
  return { timeout: HANG_MS, ...(typeof options === "number" ? { timeout: options } : options) };
}
