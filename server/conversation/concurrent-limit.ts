import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import type { Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { countWriting } from "./message-store.ts";

/** For who waits: replies take seconds. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Refuses one reply more than an account may have written at once. To be called in the transaction that begins it, once
 * that holds the account's row by counting the change: whoever else begins one waits until it is done.
 * @throws Failure `too-many-replies`
 */
export async function refuseTooManyReplies(db: Queryable, userId: string): Promise<void> {
  if ((await countWriting(db, userId)) <= REPLIES_AT_ONCE) return;
  throw new Failure("too-many-replies", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
