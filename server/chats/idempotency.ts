import { createHash } from "node:crypto";
import type { Database, SendRow } from "../database/schema.ts";
import { isUniqueViolation } from "../database/violations.ts";
import { Failure } from "../failure.ts";
import { findSend } from "./send-store.ts";

/** One intended change: account, idempotency key (without one every request is new), and request. */
export type Intent = { userId: string; key: string | undefined; request: unknown };

/** Key and fingerprint of the request, stored in the row of a used key. */
export type SendKey = { key: string; fingerprint: string };

type Outcome<T> = { done: T } | { repeated: SendRow };

/**
 * Runs a change once for its key, for any number of sequential and concurrent requests.
 * @param change stores the key's row in its own transaction; `sendKey` is undefined without a key
 * @returns the result of the change, or the row of the earlier request
 * @throws Failure `idempotency-mismatch` if the key was used for another request
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
    // A concurrent request with the same key may have won; that also breaks rules such as "one running reply".
    if (!isUniqueViolation(error) && !(error instanceof Failure)) throw error;
    const meanwhile = await earlier();
    if (meanwhile) return { repeated: meanwhile };
    throw error;
  }
}
