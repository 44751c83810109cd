import { sha256 } from "@noble/hashes/sha2.js";
import { leadingZeros, workDemandSchema } from "#contract/accounts/work.ts";
import { parseJson } from "../../api/api-error.ts";

/** Time (ms) after which the page may paint and react. */
const SLICE_MS = 12;
/** The time is read once for so many hashes. */
const HASHES_AT_ONCE = 256;

/**
 * Returns a solution of the proof of work that a refused sign-in asks for; null if the answer asks for none. Does not use
 * Web Crypto, which browsers offer to pages of `https:` only.
 * @param body of the response with the code `work-needed`
 */
export async function solveWork(body: string): Promise<string | null> {
  const demand = workDemandSchema.safeParse(parseJson(body));
  if (!demand.success) return null;
  const { challenge, bits } = demand.data.work;
  const encoder = new TextEncoder();
  for (let number = 0; ; ) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      for (let count = 0; count < HASHES_AT_ONCE; count++, number++) {
        const solution = `${challenge}.${number.toString(36)}`;
        if (leadingZeros(sha256(encoder.encode(solution))) >= bits) return solution;
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}
