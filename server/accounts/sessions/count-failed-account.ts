import { SECOND } from "#contract/limits.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { GiveBack } from "../../limits/limits.ts";
import { networkOf } from "../../limits/networks.ts";
import type { AccountContext, Accounts } from "../accounts.ts";

/** A browser finds a solution in about half a second, a phone in two. */
const FIRST_BITS = 17;
/** A browser finds a solution in about ten seconds. */
const MOST_BITS = 22;

type WorkedGuess = { client: Client; work?: string | undefined };

/**
 * Refuses a guess that needs a proof of work and has none, by reads only: a flood of names leaves no rows.
 * @param account identifies the account, or the typed name without one
 * @throws Failure `work-needed` with a challenge
 */
export async function refuseWithoutWork(accounts: AccountContext, account: string, guess: WorkedGuess): Promise<void> {
  const full = await accounts.limits.findFullAccounts(account, guess.client);
  if (full !== null && !isSolved(accounts, guess, bitsFor(full))) throw workNeeded(accounts, guess, full);
}

/**
 * Counts the account of a guess among those with wrong passwords from the client's network, before its password is
 * checked. In a network with many of them the guess needs a proof of work, which grows with their number: other people
 * can still sign in there, and passwords cannot be tried on many accounts.
 * @param account identifies the account, or the typed name without one
 * @param guess.work a solution, if the client has one
 * @returns a function that takes the count back after a right password; a count with work stays
 * @throws Failure `work-needed` with a challenge
 */
export async function countFailedAccount(
  accounts: AccountContext,
  account: string,
  guess: WorkedGuess,
): Promise<GiveBack> {
  const { limits } = accounts;
  const { client, work } = guess;
  const taken = await limits.takeFailedAccount(account, client);
  if (!("resetsAt" in taken)) return taken;
  if (work === undefined || !isSolved(accounts, guess, bitsFor(taken)) || !(await limits.isFirstUse("work", work))) {
    throw workNeeded(accounts, guess, taken);
  }
  await limits.add("failed-accounts", networkOf(client.ip), 1);
  return async () => {};
}

const bitsFor = ({ excess }: { excess: number }) => Math.min(FIRST_BITS + Math.floor(excess), MOST_BITS);

function isSolved({ proofOfWork }: Accounts, { client, work }: WorkedGuess, bits: number): boolean {
  const solved = work === undefined ? null : proofOfWork.bitsOf(work, networkOf(client.ip));
  // The number may have grown since the challenge.
  return solved !== null && solved >= bits - 1;
}

function workNeeded(
  { clock, proofOfWork }: AccountContext,
  { client }: WorkedGuess,
  full: { resetsAt: number; excess: number },
): Failure {
  const retryAfterSeconds = (full.resetsAt - clock.now()) / SECOND;
  const work = proofOfWork.demand(networkOf(client.ip), bitsFor(full));
  return new Failure("work-needed", { retryAfterSeconds, work });
}
