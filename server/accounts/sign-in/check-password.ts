import { findUser, setPasswordHash } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { type ClientGuess, type GuardedGuess, guardGuess } from "../sessions/guard-guess.ts";

export type PasswordGuess = ClientGuess & { password: string };

/**
 * The only place that compares a password. Guesses are guarded, and a hash of older parameters is renewed. Must be called
 * outside of transactions.
 * @returns the account's stored hash, by which callers check that the password has not changed since; null if the
 * password is wrong
 * @throws Failure those of {@link guardGuess}; `unavailable` while too many passwords are being checked
 */
export async function checkPassword(accounts: AccountContext, guess: PasswordGuess): Promise<string | null> {
  return guardGuess(accounts, guess, (guarded) => compare(accounts, guess, guarded));
}

async function compare(
  { database, passwords }: AccountContext,
  { user, password }: PasswordGuess,
  { flow, admit }: GuardedGuess,
): Promise<string | null> {
  const stored = user?.password_hash ?? null;
  const { isRight, isOutdated } = await passwords.check(password, stored, { flow, admit });
  if (!user || stored === null || !isRight) return null;
  if (!isOutdated) return stored;
  const renewed = await passwords.hash(password, flow);
  if (await setPasswordHash(database, user.id, stored, renewed)) return renewed;
  // The password was changed meanwhile, or a concurrent sign-in has renewed its hash.
  const now = (await findUser(database, user.id))?.password_hash ?? null;
  return (await passwords.check(password, now, { flow })).isRight ? now : null;
}
