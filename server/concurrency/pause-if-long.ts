import { setImmediate } from "node:timers/promises";

/** Elements that a pass visits in about a ms. */
const LONG = 1000;

/** Yields to the event loop between two passes over a list, if it is long: a chat may have 50,000 messages. */
export async function pauseIfLong({ length }: { readonly length: number }): Promise<void> {
  if (length >= LONG) await setImmediate();
}
