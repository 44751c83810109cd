import { createHash, createHmac, randomBytes } from "node:crypto";
import { leadingZeros, type WorkDemand } from "#contract/accounts/work.ts";
import { MINUTE } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { isSameSecret } from "../config/secret-key.ts";

/** Life of a challenge: a slow phone needs a minute for the hardest one. */
export const WORK_LIFE_MS = 10 * MINUTE;

/** Challenges whose solutions cost processor time (hashcash). They are authenticated, so that none is stored. */
export class ProofOfWork {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor({ key, clock }: { key: Uint8Array; clock: Clock }) {
    this.#key = key;
    this.#clock = clock;
  }

  /**
   * Returns a new challenge.
   * @param subject for whom solutions are valid
   * @param bits base-2 logarithm of the hashes that a solution needs on average
   */
  demand(subject: string, bits: number): WorkDemand {
    const expiresAt = this.#clock.now() + WORK_LIFE_MS;
    const challenge = [bits, expiresAt.toString(36), randomBytes(12).toString("base64url")].join(".");
    return { challenge: `${challenge}.${this.#sign(challenge, subject)}`, bits };
  }

  /** Returns the bits of a valid solution for a subject; null for any other text. Does not detect that it is used again. */
  bitsOf(solution: string, subject: string): number | null {
    const [bits = "", expiresAt = "", random = "", signature = "", number, ...rest] = solution.split(".");
    if (number === undefined || rest.length > 0) return null;
    if (!isSameSecret(signature, this.#sign([bits, expiresAt, random].join("."), subject))) return null;
    if (Number.parseInt(expiresAt, 36) <= this.#clock.now()) return null;
    const hash = createHash("sha256").update(solution).digest();
    return leadingZeros(hash) >= Number(bits) ? Number(bits) : null;
  }

  #sign(challenge: string, subject: string): string {
    return createHmac("sha256", this.#key).update(`${challenge}\n${subject}`).digest("base64url");
  }
}
