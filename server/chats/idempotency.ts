import { createHash } from "node:crypto";
import type { Database, SendRow } from "../database/schema.ts";
import { isUniqueViolation } from "../database/violations.ts";
import { Failure } from "../failure.ts";
import { findSend } from "./send-store.ts";

/** One intended change: the account, its key (none: every request counts as a new one), and what is asked. */
export type Intent = { userId: string; key: string | undefined; request: unknown };

/** What the row of a used key says besides what was done. */
export type SendKey = { key: string; fingerprint: string };

type Outcome<T> = { done: T } | { repeated: SendRow };

/**
 * Does a change once for its key, however often and however simultaneously it is asked for.
 * @param change stores the key's row in its own transaction; `sendKey` is missing where there is no key
 * @returns what the change gave, or the row of the earlier time
 * @throws Failure `idempotency-mismatch` where the key was used for something else
 */
export async function once<T>(
  database: Database,
  { userId, key, request }: Intent,
  change: (sendKey: SendKey | undefined) => Promise<T>,
): Promise<Outcome<T>> {
  if (key === undefined) return { done: await change(undefined) };
  const fingerprint = createHash("sha256").update(JSON.stringify(request)).digest("hex");
  const earlier = async (): Promise<SendRow | undefined> => {
    const row = await findSend(database, userId, key);
    if (row && row.fingerprint !== fingerprint) throw new Failure("idempotency-mismatch");
    return row;
  };
  const before = await earlier();
  if (before) return { repeated: before };
  try {
    return { done: await change({ key, fingerprint }) };
  } catch (error) {
    // Another request with the same key may have won meanwhile; it also makes rules such as "one reply at a time" fail.
    if (!isUniqueViolation(error) && !(error instanceof Failure)) throw error;
    const meanwhile = await earlier();
    if (meanwhile) return { repeated: meanwhile };
    throw error;
  }
}
