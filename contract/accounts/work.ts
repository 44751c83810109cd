/** Proof of work (hashcash), which a server asks for instead of refusing a sign-in from a network with many wrong ones. */

import * as z from "zod/mini";
import { WORK_MAX } from "../limits.ts";

/**
 * Extension of the problem `work-needed`. A solution is the challenge, a dot and a number in base 36, chosen so that its
 * SHA-256 begins with `bits` zeros. It is valid once.
 */
export const workDemandSchema = z.object({
  work: z.object({ challenge: z.string().check(z.maxLength(WORK_MAX)), bits: z.int() }),
});
export type WorkDemand = z.infer<typeof workDemandSchema>["work"];

/** Returns how many zero bits a hash begins with. */
export function leadingZeros(hash: Uint8Array): number {
  const at = hash.findIndex((byte) => byte !== 0);
  return at === -1 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] ?? 0) - 24;
}
