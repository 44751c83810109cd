import { DAY } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { countReply } from "./daily-replies-store.ts";

/**
 * Counts a reply towards the account's daily limit, in the transaction that starts it: a refused reply is not counted,
 * and concurrent starts cannot exceed the limit.
 * @throws Failure `too-many-requests`
 */
export async function countAgainstLimit(db: Queryable, userId: string, now: number, limit: number): Promise<void> {
  if ((await countReply(db, userId, now)) <= limit) return;
  throw new Failure("too-many-requests", { retryAfterSeconds: (DAY - (now % DAY)) / 1000 });
}
