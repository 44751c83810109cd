import { createHash } from "node:crypto";
import type { Queryable } from "../../database/schema.ts";

/** Returns the hash under which a nonce is stored. */
export const hashOf = (nonce: string): string => createHash("sha256").update(nonce).digest("hex");

/** Returns whether a nonce was used, and is still stored. */
export async function isUsedNonce(db: Queryable, hash: string): Promise<boolean> {
  return (await db.selectFrom("used_nonces").select("hash").where("hash", "=", hash).executeTakeFirst()) !== undefined;
}

/** Stores that a nonce was used; `false` if it was used before. */
export async function insertUsedNonce(db: Queryable, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("used_nonces")
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function removeLapsedNonces(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("used_nonces").where("expires_at", "<=", now).execute();
}
