import { setTimeout } from "node:timers/promises";

/** Several times what the work takes. */
const EVEN_MS = 50;

/**
 * Does what takes a little longer where there is somebody than where there is nobody, and settles after a time that does
 * not tell which it was.
 */
export async function inEvenTime(work: Promise<void>): Promise<void> {
  await Promise.all([work, setTimeout(EVEN_MS)]);
}
