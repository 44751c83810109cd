import { AsyncLocalStorage } from "node:async_hooks";

/** As things are while the program is loaded, which no request does. */
const runOutside = AsyncLocalStorage.snapshot();

/**
 * Does what serves many in the asynchronous context of none: a timer would else run in that of whichever request came
 * first, and traces would count it as that one's. @returns what the work returns
 */
export function outsideRequests<T>(work: () => T): T {
  return runOutside(work);
}
