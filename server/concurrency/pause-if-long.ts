import { setImmediate } from "node:timers/promises";

/** Elements that a pass visits in about a ms. */
export const ELEMENTS_AT_ONCE = 1000;

/** Yields to the event loop between two passes over many elements: a chat may have 50,000 messages. */
export async function pauseIfLong(elements: number): Promise<void> {
  if (elements >= ELEMENTS_AT_ONCE) await setImmediate();
}
