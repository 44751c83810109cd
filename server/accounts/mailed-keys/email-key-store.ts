import { sql } from "kysely";
import { newId } from "../../database/new-id.ts";
import type { EmailKeyRow, Queryable } from "../../database/schema.ts";
import type { KeyPurpose as Purpose } from "./mailed-keys.ts";

/** Stores a key, replacing the account's earlier key of that purpose, which becomes invalid. */
export async function replaceEmailKey(db: Queryable, { user_id, purpose, ...key }: EmailKeyRow): Promise<void> {
  await db
    .insertInto("email_keys")
    .values({ user_id, purpose, ...key })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "purpose"]).where("purpose", "!=", sql.lit("undo-email")).doUpdateSet(key),
    )
    .execute();
}

/** Stores a key if the account has none of that purpose; otherwise binds the existing key to this browser. */
export async function noteDeviceOfKey(db: Queryable, key: EmailKeyRow): Promise<void> {
  await db
    .insertInto("email_keys")
    .values(key)
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "purpose"])
        .where("purpose", "!=", sql.lit("undo-email"))
        .doUpdateSet({ device: key.device }),
    )
    .execute();
}

/**
 * Returns the browser to which the account's key of that purpose is bound; null if there is no such key, or it is bound
 * to none.
 */
export async function findDeviceOfKey(db: Queryable, userId: string, purpose: Purpose): Promise<string | null> {
  const row = await db
    .selectFrom("email_keys")
    .select("device")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .executeTakeFirst();
  return row?.device ?? null;
}

type LivingKey = Pick<EmailKeyRow, "id" | "user_id" | "hash" | "expires_at">;

/** Renews a key's expiry and hash; undefined if the key does not exist any more. */
export async function renewEmailKey(
  db: Queryable,
  { id, user_id, hash, expires_at }: LivingKey,
): Promise<EmailKeyRow | undefined> {
  return db
    .updateTable("email_keys")
    .set({ hash, expires_at })
    .where("id", "=", id)
    .where("user_id", "=", user_id)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the account's newest valid key of one purpose. */
export async function findKeyOfAccount(
  db: Queryable,
  userId: string,
  purpose: Purpose,
  now: number,
): Promise<EmailKeyRow | undefined> {
  return db
    .selectFrom("email_keys")
    .selectAll()
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .executeTakeFirst();
}

/** Removes an account's keys of these purposes, with their mails. @returns the purposes of the removed keys */
export async function endEmailKeys(db: Queryable, userId: string, purposes: readonly Purpose[]): Promise<Purpose[]> {
  const ended = await db
    .deleteFrom("email_keys")
    .where("user_id", "=", userId)
    .where("purpose", "in", purposes)
    .returning("purpose")
    .execute();
  return ended.map(({ purpose }) => purpose);
}

/** Removes the keys that would undo changes of address made after the change of this key. */
export async function endLaterUndoKeys(db: Queryable, { user_id: userId, id }: EmailKeyRow): Promise<void> {
  await db
    .deleteFrom("email_keys")
    .where("user_id", "=", userId)
    .where("purpose", "=", "undo-email")
    .where("id", ">", id)
    .execute();
}

/** Returns a valid key of one of these purposes. */
export async function findEmailKey(
  db: Queryable,
  purposes: readonly Purpose[],
  hash: string,
  now: number,
): Promise<EmailKeyRow | undefined> {
  return db
    .selectFrom("email_keys")
    .selectAll()
    .where("hash", "=", hash)
    .where("purpose", "in", purposes)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** Removes and returns a key; of concurrent requests only one gets it. */
export async function takeEmailKey(
  db: Queryable,
  purposes: readonly Purpose[],
  hash: string,
  now: number,
): Promise<EmailKeyRow | undefined> {
  return db
    .deleteFrom("email_keys")
    .where("hash", "=", hash)
    .where("purpose", "in", purposes)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}

/** Stores that a key has verified its account, until it would have expired. */
export async function noteVerified(db: Queryable, { hash, user_id, device, expires_at }: EmailKeyRow): Promise<void> {
  const used = { hash, device, expires_at };
  await replaceEmailKey(db, { id: newId(), user_id, purpose: "verified-email", address: null, ...used });
}

export async function removeLapsedEmailKeys(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("email_keys").where("expires_at", "<=", now).execute();
}
