import { setTimeout as delay } from "node:timers/promises";
import { HANG_MS } from "../testing/app/wait-for.ts";

/**
 * Limit of the attempts and waits of a client, in ms. A client may wait through a series of kills, each with a start of
 * the server, which took 20 s with 25 runnable processes for each core. Only a hang reaches the limit.
 */
export const GIVE_UP_MS = 5 * HANG_MS;

const RETRY_MS = 60;

/** A failure that a user would have seen. */
export class ClientError extends Error {}

/** A client gave up. The message is a sentence for the report. */
export class GaveUp extends ClientError {}

/** Returns the sentence of a report for an error, with its stack if it is not the failure of a client. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ClientError ? error.message : (error.stack ?? error.message);
}

/** `giveUpMs`: limit of all attempts together; `pauseMs`: between two attempts. */
export type Bound = { giveUpMs?: number; pauseMs?: number };

/**
 * Calls `attempt` until it returns a value other than undefined, null and false. An attempt that has begun may end after
 * the limit.
 * @param problem begins the sentence of the report, such as "the upload was not accepted"
 * @returns that value
 * @throws GaveUp after the limit; what `attempt` throws
 */
export async function persist<T>(
  problem: string,
  attempt: () => Promise<T> | T,
  { giveUpMs = GIVE_UP_MS, pauseMs = RETRY_MS }: Bound = {},
): Promise<Exclude<T, undefined | null | false>> {
  let attempts = 0;
  for (const deadline = performance.now() + giveUpMs; performance.now() < deadline; await delay(pauseMs)) {
    const value = await attempt();
    attempts++;
    if (value !== undefined && value !== null && value !== false) {
      return value as Exclude<T, undefined | null | false>;
    }
  }
  throw new GaveUp(`${problem} within ${giveUpMs} ms, in ${attempts} attempts`);
}

/** Waits for a promise. @throws GaveUp if it does not settle within the limit; its reason */
export async function bounded<T>(problem: string, waited: Promise<T>, giveUpMs = GIVE_UP_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new GaveUp(`${problem} within ${giveUpMs} ms`)), giveUpMs);
  try {
    return await Promise.race([waited, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits until all promises have settled. Unlike `Promise.all` nothing continues in the background afterwards, and no
 * rejection is unhandled however long another promise takes.
 * @throws the reason of the first rejected promise in the order of the list
 */
export async function settleAll<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === "rejected") throw result.reason;
  return results.map((result) => (result.status === "fulfilled" ? result.value : undefined)) as {
    -readonly [P in keyof T]: Awaited<T[P]>;
  };
}
