import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { AccountContext } from "../accounts.ts";
import { guardGuess } from "../sessions/guard-guess.ts";
import { hashRecoveryCode, readCode, type TypedCode } from "./recovery-codes.ts";
import { findTotpFactor, hasRecoveryCode, spendRecoveryCode, spendStep } from "./second-factor-store.ts";
import { findStep } from "./totp.ts";
import { decryptTotpSecret } from "./totp-secrets.ts";

/** A right code that has not been spent. */
export type RightCode = { kind: "totp"; step: number } | { kind: "recovery"; hash: string };

/** `isSignedIn`: the client has a session of the account. */
export type CodeGuess = { user: UserRow; code: string; client: Client };

/**
 * The only place that compares a code of a second factor. Guesses have counters of their own, which a right password does
 * not clear. Must be called outside of transactions; {@link spendCode} then accepts the code.
 * @throws Failure `wrong-code`; `codes-unreadable` if the server's key does not open the secret; those of {@link guardGuess}
 */
export async function checkCode(accounts: AccountContext, { user, code, client }: CodeGuess): Promise<RightCode> {
  const typed = readCode(code);
  // One account can be tried with a ticket or in a session: its own counters suffice.
  const guess = { user, name: user.username, client, isSignedIn: true, purpose: "code" } as const;
  const right = await guardGuess(accounts, guess, async () => (typed ? compare(accounts, user, typed) : null));
  if (right === null) throw new Failure("wrong-code");
  return right;
}

async function compare(
  { cipher, clock, database }: AccountContext,
  user: UserRow,
  { kind, code }: TypedCode,
): Promise<RightCode | null> {
  const factor = await findTotpFactor(database, user.id);
  if (!factor) return null;
  if (kind === "recovery") {
    const hash = hashRecoveryCode(code);
    return (await hasRecoveryCode(database, user.id, hash)) ? { kind, hash } : null;
  }
  const secret = decryptTotpSecret(cipher, factor);
  if (!secret) throw new Failure("codes-unreadable");
  const step = findStep(secret, code, clock.now(), factor.last_step);
  return step === undefined ? null : { kind, step };
}

/**
 * Accepts a right code, in the transaction of what it permits.
 * @throws Failure `wrong-code` if it has been accepted meanwhile
 */
export async function spendCode(db: Queryable, userId: string, right: RightCode, now: number): Promise<void> {
  const isSpent =
    right.kind === "totp"
      ? await spendStep(db, userId, right.step, now)
      : await spendRecoveryCode(db, userId, right.hash);
  if (!isSpent) throw new Failure("wrong-code");
}
