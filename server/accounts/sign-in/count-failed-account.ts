import { SECOND } from "#contract/limits.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { GiveBack } from "../../limits/limits.ts";
import { networkOf } from "../../limits/networks.ts";
import type { Accounts } from "../accounts.ts";

/** A browser finds a solution in about half a second, a phone in two. */
const FIRST_BITS = 17;
/** A browser finds a solution in about ten seconds. */
const MOST_BITS = 22;

/**
 * Counts the account of a guess among those with wrong passwords from the client's network, before its password is
 * checked. In a network with many of them the guess needs a proof of work, which grows with their number: other people
 * can still sign in there, and passwords cannot be tried on many accounts.
 * @param account identifies the account, or the typed name without one
 * @param guess.work a solution, if the client has one
 * @returns a function that takes the count back after a right password
 * @throws Failure `work-needed` with a challenge
 */
export async function countFailedAccount(
  { limits, proofOfWork, clock }: Accounts,
  account: string,
  guess: { client: Client; work?: string | undefined },
): Promise<GiveBack> {
  const { client, work } = guess;
  const taken = await limits.takeFailedAccount(account, client);
  if (!("resetsAt" in taken)) return taken;
  const network = networkOf(client.ip);
  const bits = Math.min(FIRST_BITS + Math.floor(taken.excess), MOST_BITS);
  const solved = work === undefined ? null : proofOfWork.bitsOf(work, network);
  // The number may have grown since the challenge.
  if (work !== undefined && solved !== null && solved >= bits - 1 && (await limits.isFirstUse("work", work))) {
    await limits.add("failed-accounts", network, 1);
    return async () => {};
  }
  const retryAfterSeconds = (taken.resetsAt - clock.now()) / SECOND;
  throw new Failure("work-needed", { retryAfterSeconds, work: proofOfWork.demand(network, bits) });
}
