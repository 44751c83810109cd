import { SECOND } from "#contract/limits.ts";
import { isForeignKeyViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { flowOf } from "../../limits/flow-of.ts";
import type { GiveBack, Limits } from "../../limits/limits.ts";
import { networkOf } from "../../limits/networks.ts";
import { findUser, setPasswordHash } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import type { Guessed, Guesser } from "../sessions/throttles.ts";
import { countFailedAccount, refuseWithoutWork } from "./count-failed-account.ts";

/** `work`: solution of a proof of work. `isSignedIn`: the client has a session of the account. */
export type PasswordGuess = Guessed & {
  password: string;
  client: Client;
  work?: string | undefined;
  isSignedIn?: boolean;
};

/**
 * The only place that compares a password. Counts guesses before the password is checked, logs failures, and renews a
 * hash of older parameters. Must be called outside of transactions.
 * @param guess.name the typed name, for names without an account
 * @returns the account's stored hash, by which callers check that the password has not changed since; null if the
 * password is wrong
 * @throws Failure `too-many-requests` with the time to wait, `work-needed` with a proof of work that is accepted instead,
 * `unavailable` while too many passwords are being checked
 */
export async function checkPassword(accounts: Accounts, guess: PasswordGuess): Promise<string | null> {
  const { limits, throttles } = accounts;
  const { client } = guess;
  const guesser = await throttles.recognise(guess, client);
  // Refuses a flood by one read, before any write.
  await limits.check("account-sign-in", guesser.subject);
  if (isUnknown(guesser, guess)) await refuseWithoutWork(accounts, guesser.subject, guess);
  const counted = await countGuess(accounts, guess, guesser);
  const right = await compare(accounts, guess, { guesser, counted }).catch(async (error: unknown) => {
    await Promise.all([throttles.giveBack(guesser), counted.giveFailureBack(), counted.giveSuccessBack()]);
    if (error instanceof Failure && error.code === "work-needed") await recordThrottled(accounts, guesser, client);
    throw error;
  });
  if (right !== null) await Promise.all([throttles.noteRight(guesser), counted.giveFailureBack()]);
  else await Promise.all([recordWrong(accounts, guesser, client), counted.giveSuccessBack()]);
  return right;
}

/** Only one account can be tried from a session, and where the account has signed in before. */
const isUnknown = ({ isKnown }: Guesser, { isSignedIn }: PasswordGuess) => !isKnown && !isSignedIn;

/** Counts of a guess: as a wrong one, and as a right one, until its password is checked. */
type CountedGuess = {
  giveFailureBack: GiveBack;
  giveSuccessBack: GiveBack;
  /** Counts the account among those with wrong passwords from the client's network, when its turn has come. */
  admit: () => Promise<void>;
};

/** Counts a guess in all limits before it is checked, or in none. @throws as {@link checkPassword} */
async function countGuess(accounts: Accounts, guess: PasswordGuess, guesser: Guesser): Promise<CountedGuess> {
  const { limits, throttles } = accounts;
  const { client } = guess;
  const taken: GiveBack[] = [];
  const giveFailureBack = async () => {
    for (const giveBack of taken) await giveBack();
  };
  const admit = async () => {
    if (isUnknown(guesser, guess)) taken.push(await countFailedAccount(accounts, guesser.subject, guess));
  };
  try {
    // Wrong passwords of one person must not refuse others in the same network, or in a browser that they share.
    const source = guesser.isKnown ? `device ${client.device}` : networkOf(client.ip);
    taken.push(await limits.take("sign-in", `${source}\n${guesser.subject}`));
    const waitMs = await throttles.reserve(guesser);
    if (waitMs !== null) throw new Failure("too-many-requests", { retryAfterSeconds: waitMs / SECOND });
  } catch (error) {
    await giveFailureBack();
    if (error instanceof Failure) await recordThrottled(accounts, guesser, client);
    throw error;
  }
  try {
    return { giveFailureBack, giveSuccessBack: await countSuccess(limits, guesser, guess), admit };
  } catch (error) {
    await Promise.all([throttles.giveBack(guesser), giveFailureBack()]);
    throw error;
  }
}

/**
 * Counts a right password before it is checked: each costs a hash, so that one account or network could starve the
 * others of processor time.
 * @returns a function that takes the count back if the password is wrong
 */
async function countSuccess(
  limits: Limits,
  { subject, isKnown }: Guesser,
  { client, isSignedIn }: PasswordGuess,
): Promise<GiveBack> {
  const giveAccountBack = await limits.take("account-sign-in", subject);
  if (isKnown || isSignedIn) return giveAccountBack;
  const giveNetworkBack = await limits.takeOfNetwork("network-sign-in", client).catch(async (error: unknown) => {
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
  { guesser, counted }: { guesser: Guesser; counted: CountedGuess },
): Promise<string | null> {
  const flow = flowOf(client, guesser.subject);
  const stored = user?.password_hash ?? null;
  const { isRight, isOutdated } = await passwords.check(password, stored, { flow, admit: counted.admit });
  if (!user || stored === null || !isRight) return null;
  if (!isOutdated) return stored;
  const renewed = await passwords.hash(password, flow);
  if (await setPasswordHash(database, user.id, stored, renewed)) return renewed;
  // The password was changed meanwhile, or a concurrent sign-in has renewed its hash.
  const now = (await findUser(database, user.id))?.password_hash ?? null;
  return (await passwords.check(password, now, { flow })).isRight ? now : null;
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
