import { sql } from "kysely";
import type { EmailKeyRow, Queryable } from "../../database/schema.ts";
import type { KeyPurpose as Purpose } from "./mailed-keys.ts";

/** Stores a key in the place of the account's earlier one of that purpose, which is thereby ended. */
export async function replaceEmailKey(db: Queryable, { user_id, purpose, ...key }: EmailKeyRow): Promise<void> {
  await db
    .insertInto("email_keys")
    .values({ user_id, purpose, ...key })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "purpose"]).where("purpose", "!=", sql.lit("undo-email")).doUpdateSet(key),
    )
    .execute();
}

/** Stores a key where the account has none of that purpose; one that is there is for this browser from now on. */
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

/** The browser that the account's key of that purpose is for; null where there is no such key, or for none. */
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

/** Sets the end of a key's life, and what it is known by; nothing where that key is ended already. */
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

/** The key of one purpose that an account has, where it is still good; its newest where it has several. */
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

/** Ends an account's keys of these purposes, their mails too. @returns the purposes of those that there were */
export async function endEmailKeys(db: Queryable, userId: string, purposes: readonly Purpose[]): Promise<Purpose[]> {
  const ended = await db
    .deleteFrom("email_keys")
    .where("user_id", "=", userId)
    .where("purpose", "in", purposes)
    .returning("purpose")
    .execute();
  return ended.map(({ purpose }) => purpose);
}

/** Ends the keys that would undo later changes of an account's address than the one of this key. */
export async function endLaterUndoKeys(db: Queryable, { user_id: userId, id }: EmailKeyRow): Promise<void> {
  await db
    .deleteFrom("email_keys")
    .where("user_id", "=", userId)
    .where("purpose", "=", "undo-email")
    .where("id", ">", id)
    .execute();
}

/** A key of one of these purposes, where it is still good. */
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

/** Uses a key up; of several who try at once one gets it. */
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

export async function removeLapsedEmailKeys(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("email_keys").where("expires_at", "<=", now).execute();
}
