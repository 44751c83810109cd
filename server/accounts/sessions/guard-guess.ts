import { SECOND } from "#contract/limits.ts";
import type { Flow } from "../../concurrency/fair-queue.ts";
import { isForeignKeyViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { flowOf } from "../../limits/flow-of.ts";
import type { GiveBack, Limits } from "../../limits/limits.ts";
import { networkOf } from "../../limits/networks.ts";
import type { AccountContext } from "../accounts.ts";
import { countFailedAccount, refuseWithoutWork } from "./count-failed-account.ts";
import type { Guessed, Guesser } from "./throttles.ts";

/** `work`: solution of a proof of work. `isSignedIn`: the client has a session or a ticket of the account. */
export type ClientGuess = Guessed & {
  client: Client;
  work?: string | undefined;
  isSignedIn?: boolean;
};

/** `flow`: position of a comparison that waits in a queue. `admit`: must be called once, when the comparison begins. */
export type GuardedGuess = { flow: Flow; admit: () => Promise<void> };

/**
 * Guards a secret against guesses. Counts a guess in the limits and the throttle before it is compared, and logs
 * failures. Must be called outside of transactions.
 * @param guess.name the typed name, for names without an account
 * @param compare returns null if the guess is wrong; if it throws, the guess is not counted
 * @returns the result of `compare`
 * @throws Failure `too-many-requests` with the time to wait, `work-needed` with a proof of work that is accepted instead,
 * and those of `compare`
 */
export async function guardGuess<T>(
  accounts: AccountContext,
  guess: ClientGuess,
  compare: (guarded: GuardedGuess) => Promise<T | null>,
): Promise<T | null> {
  const { limits, throttles } = accounts;
  const { client } = guess;
  const guesser = await throttles.recognise(guess, client);
  // Refuses a flood by one read, before any write.
  await limits.check("account-sign-in", guesser.subject);
  if (isUnknown(guesser, guess)) await refuseWithoutWork(accounts, guesser.subject, guess);
  const counted = await countGuess(accounts, guess, guesser);
  const flow = flowOf(client, guesser.subject);
  const right = await compare({ flow, admit: counted.admit }).catch(async (error: unknown) => {
    await Promise.all([throttles.giveBack(guesser), counted.giveFailureBack(), counted.giveSuccessBack()]);
    if (error instanceof Failure && error.code === "work-needed") await recordThrottled(accounts, guesser, client);
    throw error;
  });
  if (right !== null) await Promise.all([throttles.noteRight(guesser), counted.giveFailureBack()]);
  else await Promise.all([recordWrong(accounts, guesser, client), counted.giveSuccessBack()]);
  return right;
}

/** Only one account can be tried from a session, and where the account has signed in before. */
const isUnknown = ({ isKnown }: Guesser, { isSignedIn }: ClientGuess) => !isKnown && !isSignedIn;

/** Counts of a guess: as a wrong one, and as a right one, until it is compared. */
type CountedGuess = {
  giveFailureBack: GiveBack;
  giveSuccessBack: GiveBack;
  /** Counts the account among those with wrong passwords from the client's network, when its turn has come. */
  admit: () => Promise<void>;
};

/** Counts a guess in all limits before it is compared, or in none. @throws as {@link guardGuess} */
async function countGuess(accounts: AccountContext, guess: ClientGuess, guesser: Guesser): Promise<CountedGuess> {
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
 * Counts a right guess before it is compared: each password costs a hash, so that one account or network could starve
 * the others of processor time.
 * @returns a function that takes the count back if the guess is wrong
 */
async function countSuccess(
  limits: Limits,
  { subject, isKnown }: Guesser,
  { client, isSignedIn }: ClientGuess,
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

/** Commits once, whether the account exists or not, so that timing reveals nothing. */
async function recordWrong(
  { database, securityLog, throttles }: AccountContext,
  guesser: Guesser,
  client: Client,
): Promise<void> {
  const record = database.transaction().execute(async (db) => {
    // Locks the account first, like its removal, to avoid a deadlock.
    const kind = guesser.purpose === "code" ? "second-factor-failed" : "sign-in-failed";
    await securityLog.record(db, kind, guesser.userId, client);
    await throttles.noteWrong(db, guesser);
  });
  await record.catch((error: unknown) => {
    // The account was removed meanwhile, with its counted guesses.
    if (!isForeignKeyViolation(error)) throw error;
  });
}

async function recordThrottled(
  { database, securityLog }: AccountContext,
  { key, userId }: Guesser,
  client: Client,
): Promise<void> {
  await securityLog.recordNowAndThen(database, { kind: "sign-in-throttled", userId, about: key }, client);
}
