import { DAY } from "#contract/limits.ts";
import type { Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { countReply } from "./daily-replies-store.ts";

/**
 * Counts one more reply of the account's day, within the transaction that asks for it: what is refused is not counted,
 * and nothing slips through beside.
 * @throws Failure `too-many-requests`
 */
export async function countAgainstLimit(db: Queryable, userId: string, now: number, limit: number): Promise<void> {
  if ((await countReply(db, userId, now)) <= limit) return;
  throw new Failure("too-many-requests", { retryAfterSeconds: (DAY - (now % DAY)) / 1000 });
}
