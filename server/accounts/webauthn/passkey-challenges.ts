import { createHash } from "node:crypto";
import { MINUTE } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { AccountContext } from "../accounts.ts";
import { insertUsedNonce } from "../sessions/nonce-store.ts";

/** A person may have to find the phone or the key that holds the passkey. */
export const CHALLENGE_LIFE_MS = 5 * MINUTE;

/** A challenge is for the session that adds a passkey, or for the browser or program that shows one. */
export type ChallengeFor = { adder: string } | { device: string | null };

const contextOf = (whom: ChallengeFor) =>
  "adder" in whom ? `passkey-creation:${whom.adder}` : `passkey-challenge:${whom.device ?? ""}`;

/**
 * Makes a challenge. Nothing is stored, so that sign-in pages write nothing: its expiry is sealed in it, and
 * {@link spendChallenge} stores that it was used.
 */
export function makeChallenge({ cipher, clock }: Pick<AccountContext, "cipher" | "clock">, whom: ChallengeFor): string {
  return cipher.encrypt(String(clock.now() + CHALLENGE_LIFE_MS), contextOf(whom));
}

export function isOwnChallenge(
  { cipher, clock }: Pick<AccountContext, "cipher" | "clock">,
  challenge: string,
  whom: ChallengeFor,
): boolean {
  return Number(cipher.decrypt(challenge, contextOf(whom))?.text ?? 0) > clock.now();
}

/** Uses a challenge up, in the transaction of what its answer permits. @throws Failure `bad-passkey` if it was used */
export async function spendChallenge(db: Queryable, challenge: string, now: number): Promise<void> {
  const hash = createHash("sha256").update(`passkey ${challenge}`).digest("hex");
  if (!(await insertUsedNonce(db, hash, now + CHALLENGE_LIFE_MS))) throw new Failure("bad-passkey");
}
