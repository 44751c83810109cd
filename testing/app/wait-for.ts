import { setTimeout as delay } from "node:timers/promises";

/** Limit of every wait in the tests, in ms. Only a hang reaches it, also on a machine that is busy with other work. */
export const HANG_MS = 60_000;

const POLL_MS = 20;

/**
 * Polls `read` until it returns a value other than undefined, null and false. For states that persist: a transient one
 * may fall between two polls. @param what completes "The test waited in vain for …"
 * @returns that value; throws after {@link HANG_MS}
 */
export async function waitFor<T>(
  what: string,
  read: () => T | Promise<T>,
): Promise<Exclude<T, undefined | null | false>> {
  for (const deadline = performance.now() + HANG_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const value = await read();
    if (value !== undefined && value !== null && value !== false) {
      return value as Exclude<T, undefined | null | false>;
    }
  }
  throw new Error(`The test waited in vain for ${what}`);
}
