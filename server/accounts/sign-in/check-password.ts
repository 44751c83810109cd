import { SECOND } from "#contract/limits.ts";
import { isForeignKeyViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { flowOf } from "../../limits/flow-of.ts";
import type { Limits } from "../../limits/limits.ts";
import { networkOf } from "../../limits/networks.ts";
import { findUser, setPasswordHash } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import type { Guessed, Guesser } from "../sessions/throttles.ts";

export type PasswordGuess = Guessed & { password: string; client: Client };

/**
 * The only place that compares a password. Counts guesses before the password is checked, logs failures, and renews a
 * hash of older parameters. Must be called outside of transactions.
 * @param guess.name the typed name, for names without an account
 * @returns the account's stored hash, by which callers check that the password has not changed since; null if the
 * password is wrong
 * @throws Failure `too-many-requests` with the time to wait, `unavailable` while too many passwords are being checked
 */
export async function checkPassword(accounts: Accounts, guess: PasswordGuess): Promise<string | null> {
  const { limits, throttles } = accounts;
  const { client } = guess;
  const guesser = await throttles.recognise(guess, client);
  // Refuses a flood by one read, before any write.
  await limits.check("account-sign-in", guesser.subject);
  // A user in an attacker's network can still sign in where the account has signed in before.
  const source = guesser.isKnown ? `device ${client.device}` : networkOf(client.ip);
  const giveBack = await limits.take("sign-in", source).catch(async (error: unknown) => {
    if (error instanceof Failure) await recordThrottled(accounts, guesser, client);
    throw error;
  });
  const waitMs = await throttles.reserve(guesser);
  if (waitMs !== null) {
    await recordThrottled(accounts, guesser, client);
    throw new Failure("too-many-requests", { retryAfterSeconds: waitMs / SECOND });
  }
  const giveSuccessBack = await countSuccess(limits, guesser, client).catch(async (error: unknown) => {
    await Promise.all([throttles.giveBack(guesser), giveBack()]);
    throw error;
  });
  const right = await compare(accounts, guess, guesser).catch(async (error: unknown) => {
    await Promise.all([throttles.giveBack(guesser), giveBack(), giveSuccessBack()]);
    throw error;
  });
  if (right !== null) await Promise.all([throttles.noteRight(guesser), giveBack()]);
  else await Promise.all([recordWrong(accounts, guesser, client), giveSuccessBack()]);
  return right;
}

/**
 * Counts a right password before it is checked: each costs a hash, so that one account or network could starve the
 * others of processor time.
 * @returns a function that takes the count back if the password is wrong
 */
async function countSuccess(limits: Limits, { subject }: Guesser, { ip }: Client): Promise<() => Promise<void>> {
  const giveAccountBack = await limits.take("account-sign-in", subject);
  const giveNetworkBack = await limits.take("network-sign-in", networkOf(ip)).catch(async (error: unknown) => {
    await giveAccountBack();
    throw error;
  });
  return async () => {
    await Promise.all([giveAccountBack(), giveNetworkBack()]);
  };
}

async function compare(
  { database, passwords }: Accounts,
  { user, password, client }: PasswordGuess,
  { subject }: Guesser,
): Promise<string | null> {
  const flow = flowOf(client, subject);
  const stored = user?.password_hash ?? null;
  const { isRight, isOutdated } = await passwords.check(password, stored, flow);
  if (!user || stored === null || !isRight) return null;
  if (!isOutdated) return stored;
  const renewed = await passwords.hash(password, flow);
  if (await setPasswordHash(database, user.id, stored, renewed)) return renewed;
  // The password was changed meanwhile, or a concurrent sign-in has renewed its hash.
  const now = (await findUser(database, user.id))?.password_hash ?? null;
  return (await passwords.check(password, now, flow)).isRight ? now : null;
}

/** Commits once, whether the account exists or not, so that timing reveals nothing. */
async function recordWrong(
  { database, securityLog, throttles }: Accounts,
  guesser: Guesser,
  client: Client,
): Promise<void> {
  const record = database.transaction().execute(async (db) => {
    // Locks the account first, like its removal, to avoid a deadlock.
    await securityLog.record(db, "sign-in-failed", guesser.userId, client);
    await throttles.noteWrong(db, guesser);
  });
  await record.catch((error: unknown) => {
    // The account was removed meanwhile, with its counted guesses.
    if (!isForeignKeyViolation(error)) throw error;
  });
}

async function recordThrottled(
  { database, securityLog }: Accounts,
  { key, userId }: Guesser,
  client: Client,
): Promise<void> {
  await securityLog.recordNowAndThen(database, { kind: "sign-in-throttled", userId, about: key }, client);
}
