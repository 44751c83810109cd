import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import type { Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { countWriting } from "./message-store.ts";

/** For who waits: replies take seconds. */
const RETRY_AFTER_SECONDS = 1;

/**
 * For `Limits.within`: a request refused with `too-many-replies` began no reply. Browsers repeat it until it is accepted,
 * so refusals have a limit of their own.
 */
export const begun = (userId: string) =>
  ({ name: "chat", subject: userId, free: { code: "too-many-replies", countsAs: "refused-send" } }) as const;

/**
 * Refuses one reply more than an account may have written at once. To be called in the transaction that begins it, once
 * that holds one of the account's rows by what it counts: whoever else begins one waits until it is done.
 * @param unstored those of which the database knows nothing
 * @throws Failure `too-many-replies`
 */
export async function refuseTooManyReplies(db: Queryable, userId: string, unstored: number): Promise<void> {
  if ((await countWriting(db, userId)) + unstored <= REPLIES_AT_ONCE) return;
  throw new Failure("too-many-replies", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
