import { DAY } from "#contract/limits.ts";
import type { Database, Queryable, UserRow } from "../database/schema.ts";

/** An account that was never verified lapses, and its username is free again. */
export const PENDING_LIFE_MS = 7 * DAY;

/** What every account begins with. */
export const freshAccount = {
  change_seq: 0,
  delete_at: null,
  password_confirmed: 1,
  folders_seq: 0,
  presets_seq: 0,
  instructions_seq: 0,
  instructions: "",
  disabled_at: null,
  stored_bytes: 0,
  quota_mb: null,
} as const satisfies Partial<UserRow>;

export async function insertUser(db: Queryable, user: UserRow): Promise<void> {
  await db.insertInto("users").values(user).execute();
}

export async function findUser(db: Queryable, userId: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
}

export async function findUserByUsername(db: Queryable, usernameKey: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("username_key", "=", usernameKey).executeTakeFirst();
}

/** The one account that an address belongs to. */
export async function findVerifiedByEmail(db: Queryable, emailKey: string): Promise<UserRow | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("email_key", "=", emailKey)
    .where("verified_at", "is not", null)
    .executeTakeFirst();
}

/** Accounts that claim an address and have not proved it, newest first. */
export async function listPendingByEmail(db: Queryable, emailKey: string, limit: number): Promise<UserRow[]> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("email_key", "=", emailKey)
    .where("verified_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findUserByGoogleSubject(db: Queryable, subject: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("google_subject", "=", subject).executeTakeFirst();
}

/** Connects an account that has no Google subject yet; `false` where it has one. */
export async function setGoogleSubject(db: Queryable, userId: string, subject: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ google_subject: subject })
    .where("id", "=", userId)
    .where("google_subject", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function clearGoogleSubject(db: Queryable, userId: string): Promise<void> {
  await db.updateTable("users").set({ google_subject: null }).where("id", "=", userId).execute();
}

/** Stores the same password in another way; `false` where it was changed meanwhile. */
export async function setPasswordHash(db: Queryable, userId: string, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ password_hash: to })
    .where("id", "=", userId)
    .where("password_hash", "=", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Inside a transaction, holds an account against others until its end. @returns the account as it is then */
export async function holdUser(db: Queryable, userId: string): Promise<UserRow | undefined> {
  return db
    .updateTable("users")
    .set((eb) => ({ username: eb.ref("username") }))
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Gives the account its address. `isConfirmed`: and takes the password that it was registered with for its owner's.
 * @returns the account as it is then; nothing where it is gone or verified already
 * @throws a unique violation where the address belongs to another verified account
 */
export async function markVerified(
  db: Queryable,
  userId: string,
  verifiedAt: number,
  isConfirmed: boolean,
): Promise<UserRow | undefined> {
  return db
    .updateTable("users")
    .set({ verified_at: verifiedAt, password_confirmed: isConfirmed ? 1 : 0 })
    .where("id", "=", userId)
    .where("verified_at", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Inside a transaction, holds all claims to an address until its end. Whoever verifies or ends one of them takes this
 * first, in the same order as everybody else: otherwise rivals would each wait for the other.
 */
export async function holdEmailClaims(db: Queryable, emailKey: string): Promise<void> {
  await db.updateTable("users").set({ email_key: emailKey }).where("email_key", "=", emailKey).execute();
}

/** Ends every pending claim to an address, with its keys and mails. */
export async function deletePendingByEmail(db: Queryable, emailKey: string): Promise<void> {
  await db.deleteFrom("users").where("email_key", "=", emailKey).where("verified_at", "is", null).execute();
}

/** Whether an account's time is over, and it is only not removed yet. */
export function isToBeGone({ delete_at: deleteAt }: UserRow, now: number): boolean {
  return deleteAt !== null && deleteAt <= now;
}

/** Frees a username that only a lapsed pending account holds. */
export async function deleteLapsedByUsername(db: Queryable, usernameKey: string, now: number): Promise<void> {
  await db
    .deleteFrom("users")
    .where("username_key", "=", usernameKey)
    .where("verified_at", "is", null)
    .where("created_at", "<=", now - PENDING_LIFE_MS)
    .execute();
}

export async function removeLapsedAccounts(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom("users")
    .where("verified_at", "is", null)
    .where("created_at", "<=", now - PENDING_LIFE_MS)
    .execute();
}
