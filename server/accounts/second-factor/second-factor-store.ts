import type { Queryable } from "../../database/schema.ts";
import type { TotpFactorRow } from "../../database/tables/second-factor-tables.ts";

export async function findTotpFactor(db: Queryable, userId: string): Promise<TotpFactorRow | undefined> {
  return db.selectFrom("totp_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** Adds the factor; `false` if the account has one. */
export async function insertTotpFactor(db: Queryable, factor: TotpFactorRow): Promise<boolean> {
  const added = await db
    .insertInto("totp_factors")
    .values(factor)
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .returning("user_id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Removes the factor and its recovery codes; `false` if the account has none. */
export async function deleteTotpFactor(db: Queryable, userId: string): Promise<boolean> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const gone = await db
    .deleteFrom("totp_factors")
    .where("user_id", "=", userId)
    .returning("user_id")
    .executeTakeFirst();
  return gone !== undefined;
}

/** Accepts the code of a time step, once: of concurrent requests with one code, one succeeds. */
export async function spendStep(db: Queryable, userId: string, step: number, now: number): Promise<boolean> {
  const spent = await db
    .updateTable("totp_factors")
    .set({ last_step: step, last_used_at: now })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .returning("user_id")
    .executeTakeFirst();
  return spent !== undefined;
}

/** Returns whether a restore brought the factor back since its last use, and forgets it. */
export async function takeRestored(db: Queryable, userId: string): Promise<boolean> {
  const restored = await db
    .updateTable("totp_factors")
    .set({ restored_at: null })
    .where("user_id", "=", userId)
    .where("restored_at", "is not", null)
    .returning("user_id")
    .executeTakeFirst();
  return restored !== undefined;
}

export async function listTotpFactors(db: Queryable): Promise<TotpFactorRow[]> {
  return db.selectFrom("totp_factors").selectAll().orderBy("user_id").execute();
}

/** Replaces a secret that was encrypted under an earlier key, unless it has changed meanwhile. */
export async function replaceSecret(
  db: Queryable,
  { user_id: userId, secret_encrypted: before }: TotpFactorRow,
  encrypted: string,
): Promise<void> {
  await db
    .updateTable("totp_factors")
    .set({ secret_encrypted: encrypted })
    .where("user_id", "=", userId)
    .where("secret_encrypted", "=", before)
    .execute();
}

/** Replaces the recovery codes of an account. */
export async function replaceRecoveryCodes(db: Queryable, userId: string, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute();
}

export async function hasRecoveryCode(db: Queryable, userId: string, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom("recovery_codes")
    .select("hash")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a recovery code up; `false` if it has been used. */
export async function spendRecoveryCode(db: Queryable, userId: string, hash: string): Promise<boolean> {
  const spent = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .returning("hash")
    .executeTakeFirst();
  return spent !== undefined;
}

export async function countRecoveryCodes(db: Queryable, userId: string): Promise<number> {
  const { codes } = await db
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("codes"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(codes);
}
