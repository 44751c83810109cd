import { setTimeout } from "node:timers/promises";

/** Several times the duration of the work. */
const EVEN_MS = 50;

/**
 * Runs work that takes longer for existing accounts than for unknown ones, and settles after a constant time, so that
 * the response time reveals nothing.
 */
export async function inEvenTime(work: Promise<void>): Promise<void> {
  await Promise.all([work, setTimeout(EVEN_MS)]);
}
