import type { ErrorCode } from "#contract/errors.ts";
import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { countWriting } from "../message-store.ts";

/** Retry interval for refused clients; replies take seconds. */
const RETRY_AFTER_SECONDS = 1;
/** Refusals that pass when another reply has ended. */
const PASSING_CODES: readonly ErrorCode[] = ["too-many-replies", "budget-reserved"];

/**
 * Limit for `Limits.within`: a request refused until another reply has ended does not count as a chat request. Browsers
 * repeat it until it is accepted, so refusals have a limit of their own.
 */
export const begun = (userId: string) =>
  ({ name: "chat", subject: userId, free: { codes: PASSING_CODES, countsAs: "refused-send" } }) as const;

/**
 * Refuses a reply beyond an account's limit of concurrent replies. Must be called in the transaction that starts the
 * reply, after it has locked one of the account's rows by counting: concurrent starts wait for it.
 * @param unstored number of running replies that are not in the database
 * @throws Failure `too-many-replies`
 */
export async function refuseTooManyReplies(db: Queryable, userId: string, unstored: number): Promise<void> {
  if ((await countWriting(db, userId)) + unstored <= REPLIES_AT_ONCE) return;
  throw new Failure("too-many-replies", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
