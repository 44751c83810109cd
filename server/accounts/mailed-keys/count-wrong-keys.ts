import type { LimitedClient, Limits } from "../../limits/limits.ts";

/**
 * Runs work with a key of a mailed link, an invitation, the console's link or the first step of a sign-in. Only wrong keys count against the client's
 * network, and only they are refused beyond its limit: guesses never refuse a right key.
 * @throws what the work throws; Failure `too-many-requests` instead of the answers to wrong keys beyond the limit
 */
export async function countWrongKeys<T>(
  { limits }: { limits: Limits },
  client: LimitedClient,
  work: () => Promise<T>,
): Promise<T> {
  const codes = ["bad-key", "bad-link", "bad-invitation", "invitation-address", "second-step-expired"] as const;
  return limits.countWrong({ name: "key-try", client, codes }, work);
}
