import { AsyncLocalStorage } from "node:async_hooks";

/** Captured at module load, where no request is active. */
const runOutside = AsyncLocalStorage.snapshot();

/**
 * Runs work for many requests outside of any request's async context. Otherwise a timer would inherit the context of
 * the first request, and traces would attribute the work to it.
 * @returns the result of the work
 */
export function outsideRequests<T>(work: () => T): T {
  return runOutside(work);
}
