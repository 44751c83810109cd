import type { RegisterRequest } from "#contract/accounts.ts";
import type { UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { changeAccount } from "../account-changes-store.ts";
import {
  deleteLapsedByUsername,
  deletePendingByEmail,
  findUserByUsername,
  findVerifiedByEmail,
  holdEmailClaims,
  holdUser,
  insertUser,
  markVerified,
} from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import { refuseGuessable } from "../password-policy.ts";
import { setPassword } from "../recovery/reset-password.ts";
import { toPendingAccount } from "../registration/register.ts";
import { commitChange } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";

/** What whoever runs the server does to accounts: at the machine itself, by nobody's session. */
export const administrator: Client = { ip: "", userAgent: "", isBrowser: false, device: null };

/**
 * Makes a verified account, whether registration is open or not.
 * @throws Failure `username-taken`, `address-taken`, `invalid-input` where the password is refused
 */
export async function createAccount(accounts: Accounts, request: RegisterRequest): Promise<UserRow> {
  const { clock, config, database, passwords, securityLog } = accounts;
  await refuseGuessable(config, request.password, request);
  const now = clock.now();
  const user = { ...toPendingAccount(request, await passwords.hash(request.password), now), verified_at: now };
  const create = database.transaction().execute(async (db) => {
    await holdEmailClaims(db, user.email_key);
    await deleteLapsedByUsername(db, user.username_key, now);
    if (await findVerifiedByEmail(db, user.email_key)) throw new Failure("address-taken");
    if (await findUserByUsername(db, user.username_key)) throw new Failure("username-taken");
    await deletePendingByEmail(db, user.email_key);
    await insertUser(db, user);
    await securityLog.record(db, "registered", user.id, administrator);
  });
  await create.catch(throwTaken);
  return user;
}

/**
 * Takes an account's address for proved, as if its owner had used the mailed key, and its password for theirs.
 * @returns whether it was not verified before
 * @throws Failure `address-taken` where it belongs to another verified account
 */
export async function verifyAccount({ clock, database, securityLog }: Accounts, user: UserRow): Promise<boolean> {
  const verify = database.transaction().execute(async (db) => {
    await holdEmailClaims(db, user.email_key);
    const verified = await markVerified(db, user.id, clock.now(), true);
    if (!verified) return false;
    await deletePendingByEmail(db, user.email_key);
    await securityLog.record(db, "verified", user.id, administrator);
    return true;
  });
  return verify.catch(throwTaken);
}

/** An index was quicker than we: of verified accounts one has an address, of all one a username. */
function throwTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new Failure("address-taken", { cause: error }) : error;
}

/** Lets nobody into an account any more, and signs it out everywhere. @returns whether it was open before */
export async function disableAccount(accounts: Accounts, userId: string): Promise<boolean> {
  return commitChange(accounts, async (change) => {
    const { db } = change;
    const user = await holdUser(db, userId);
    if (!user || user.disabled_at !== null) return false;
    await changeAccount(db, userId, { disabled_at: accounts.clock.now() });
    await revokeTrust(accounts, change, "disabled", { user, client: administrator });
    await accounts.securityLog.record(db, "disabled", userId, administrator);
    return true;
  });
}

/** Lets its owner into an account again. @returns whether it was disabled before */
export async function enableAccount(accounts: Accounts, userId: string): Promise<boolean> {
  return commitChange(accounts, async ({ db }) => {
    const user = await holdUser(db, userId);
    if (!user || user.disabled_at === null) return false;
    await changeAccount(db, userId, { disabled_at: null });
    await accounts.securityLog.record(db, "enabled", userId, administrator);
    return true;
  });
}

/**
 * Gives an account another password, as if its owner had set it anew by mail, who is told.
 * @throws Failure `invalid-input` where it is refused; `not-found` where the account is gone
 */
export async function setPasswordFor(accounts: Accounts, { id, ...names }: UserRow, password: string): Promise<void> {
  await refuseGuessable(accounts.config, password, names);
  const passwordHash = await accounts.passwords.hash(password);
  await commitChange(accounts, async (change) => {
    const user = await holdUser(change.db, id);
    if (!user) throw new Failure("not-found");
    await setPassword(accounts, change, { user, passwordHash, client: administrator, kind: "password-set" });
  });
}

/** Ends one session of an account, or all. @returns whether there was any */
export async function endSessionsOf(accounts: Accounts, userId: string, sessionId?: string): Promise<boolean> {
  const event = sessionId === undefined ? "all-sessions-ended" : "session-ended";
  return commitChange(accounts, async (change) => {
    const user = await holdUser(change.db, userId);
    if (!user) return false;
    const subject = { user, client: administrator, ...(sessionId !== undefined && { sessionId }) };
    const { hasLostSessions } = await revokeTrust(accounts, change, event, subject);
    if (hasLostSessions) await accounts.securityLog.record(change.db, "session-ended", userId, administrator);
    return hasLostSessions;
  });
}

/** Sets how many megabytes an account may store; `null`: as many as the server's setting. @returns whether it is another now */
export async function setQuota(accounts: Accounts, userId: string, quotaMb: number | null): Promise<boolean> {
  return commitChange(accounts, async ({ db }) => {
    const user = await holdUser(db, userId);
    if (!user || user.quota_mb === quotaMb) return false;
    await changeAccount(db, userId, { quota_mb: quotaMb });
    return true;
  });
}
