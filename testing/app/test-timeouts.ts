/** Before each file of tests: what is waited for may take a busy machine longer than Vitest's one second. */

import { vi } from "vitest";

const PATIENCE_MS = 15_000;
const { waitFor, waitUntil } = vi;

const patientWaitFor: typeof waitFor = (callback, options) => waitFor(callback, patient(options));
const patientWaitUntil: typeof waitUntil = (callback, options) => waitUntil(callback, patient(options));

// Files that share a process share `vi`: without the check each of them would add a wrapper.
if (waitFor.name !== patientWaitFor.name) Object.assign(vi, { waitFor: patientWaitFor, waitUntil: patientWaitUntil });

type WaitOptions = Exclude<Parameters<typeof waitFor>[1], number | undefined>;

/** An explicit timeout wins. */
function patient(options: WaitOptions | number | undefined): WaitOptions {
  return { timeout: PATIENCE_MS, ...(typeof options === "number" ? { timeout: options } : options) };
}
