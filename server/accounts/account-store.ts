import { DAY } from "#contract/limits.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import type { Database, Queryable, UserRow } from "../database/schema.ts";

/** An account that is not verified in this time expires, and its username is free again. */
export const PENDING_LIFE_MS = 7 * DAY;

/** Initial values of every account. */
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
  preferences: null,
  role: "person",
  last_seen_at: 0,
  group_id: null,
  budget: null,
  needs_second_factor: 0,
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

/** Returns the only verified account of an address. */
export async function findVerifiedByEmail(db: Queryable, emailKey: string): Promise<UserRow | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("email_key", "=", emailKey)
    .where("verified_at", "is not", null)
    .executeTakeFirst();
}

/** Lists pending accounts with an unverified address, newest first. */
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

/** Sets the Google subject of an account; `false` if it has one already. */
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

/** Stores a new hash of the same password; `false` if the hash was changed meanwhile. */
export async function setPasswordHash(db: Queryable, userId: string, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ password_hash: to })
    .where("id", "=", userId)
    .where("password_hash", "=", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks an account's row until the end of the transaction. @returns the current account */
export async function holdUser(db: Queryable, userId: string): Promise<UserRow | undefined> {
  return db
    .updateTable("users")
    .set((eb) => ({ username: eb.ref("username") }))
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Locks accounts like {@link holdUser}, in the order of their ids: two transactions that lock the same ones cannot
 * deadlock.
 */
export async function holdUsers(db: Queryable, ids: readonly string[]): Promise<Map<string, UserRow>> {
  const held = new Map<string, UserRow>();
  for (const id of [...new Set(ids)].sort()) {
    const user = await holdUser(db, id);
    if (user) held.set(id, user);
  }
  return held;
}

/** Locks the members of a group and further accounts, in the order of {@link holdUsers}. */
export async function holdMembers(db: Queryable, groupId: string, ids: readonly string[] = []): Promise<void> {
  // Its transactions have locked the whole database.
  if (isOnSqlite(db)) return;
  await db
    .selectFrom("users")
    .select("id")
    .where((eb) => eb.or([eb("group_id", "=", groupId), ...ids.map((id) => eb("id", "=", id))]))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

/**
 * Marks an account as verified. `isConfirmed`: its registered password is the owner's.
 * @returns the changed account; undefined if it does not exist or is verified already
 * @throws a unique violation if the address belongs to another verified account
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
 * Locks all accounts with an address until the end of the transaction. Everything that verifies or removes one of them
 * takes this lock first, in one order, to avoid deadlocks.
 */
export async function holdEmailClaims(db: Queryable, emailKey: string): Promise<void> {
  await db.updateTable("users").set({ email_key: emailKey }).where("email_key", "=", emailKey).execute();
}

/** Removes all pending accounts with an address, with their keys and mails. */
export async function deletePendingByEmail(db: Queryable, emailKey: string): Promise<void> {
  await db.deleteFrom("users").where("email_key", "=", emailKey).where("verified_at", "is", null).execute();
}

/** Removes a pending account. */
export async function deletePending(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("users").where("id", "=", userId).where("verified_at", "is", null).execute();
}

/** Returns whether an account is verified and enabled, and its deletion is not even scheduled. */
export function isActive({ verified_at, disabled_at, delete_at }: UserRow): boolean {
  return verified_at !== null && disabled_at === null && delete_at === null;
}

/** Returns whether an account's deletion is due, even if it is not removed yet. */
export function isToBeGone({ delete_at: deleteAt }: UserRow, now: number): boolean {
  return deleteAt !== null && deleteAt <= now;
}

/** Frees a username that only an expired pending account has. */
/** Returns whether an account was not verified in time, so that its name is free again. */
export function isLapsed({ verified_at, created_at }: UserRow, now: number): boolean {
  return verified_at === null && created_at <= now - PENDING_LIFE_MS;
}

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
