import type { RegisterRequest } from "#contract/accounts.ts";
import type { AccountRole } from "#contract/roles.ts";
import { recordAudit } from "../../audit/record-audit.ts";
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
import { keepOwner, makeFirstOwner } from "../roles/owners.ts";
import { commitChange } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";

/** Who administers: an account, or a command on the server itself (`actor` is null). */
export type Administrator = { actor: string | null; client: Client };

/** Commands run on the server itself, without an account. */
export const commandLine: Administrator = {
  actor: null,
  client: { ip: "", userAgent: "", isBrowser: false, device: null },
};

/**
 * Creates a verified account, even if registration is closed.
 * @throws Failure `username-taken`, `address-taken`; `invalid-input` if the password is refused
 */
export async function createAccount(
  accounts: Accounts,
  request: RegisterRequest,
  { actor, client }: Administrator,
): Promise<UserRow> {
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
    await securityLog.record(db, "registered", user.id, client);
    await recordAudit(db, { kind: "account-created", at: now, actor, subject: user.id });
    await makeFirstOwner({ config, now }, db, user);
  });
  await create.catch(throwTaken);
  return user;
}

/**
 * Marks an account as verified and its password as the owner's, as if the owner had used the mailed key.
 * @returns whether it was unverified before
 * @throws Failure `address-taken` if the address belongs to another verified account
 */
export async function verifyAccount(
  { clock, config, database, securityLog }: Accounts,
  user: UserRow,
  { actor, client }: Administrator,
): Promise<boolean> {
  const verify = database.transaction().execute(async (db) => {
    await holdEmailClaims(db, user.email_key);
    const verified = await markVerified(db, user.id, clock.now(), true);
    if (!verified) return false;
    await deletePendingByEmail(db, user.email_key);
    await securityLog.record(db, "verified", user.id, client);
    const now = clock.now();
    await recordAudit(db, { kind: "account-verified", at: now, actor, subject: user.id });
    await makeFirstOwner({ config, now }, db, verified);
    return true;
  });
  return verify.catch(throwTaken);
}

/** A concurrent request may get the username or verified address first; then a unique index refuses ours. */
function throwTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new Failure("address-taken", { cause: error }) : error;
}

/**
 * Disables an account and ends all its sessions.
 * @returns whether it was enabled before
 * @throws Failure `last-owner`
 */
export async function disableAccount(
  accounts: Accounts,
  userId: string,
  { actor, client }: Administrator,
): Promise<boolean> {
  return commitChange(accounts, async (change) => {
    const { db } = change;
    const user = await holdUser(db, userId);
    if (!user || user.disabled_at !== null) return false;
    const at = accounts.clock.now();
    await keepOwner(db, user);
    await changeAccount(db, userId, { disabled_at: at });
    await revokeTrust(accounts, change, "disabled", { user, client });
    await accounts.securityLog.record(db, "disabled", userId, client);
    await recordAudit(db, { kind: "account-disabled", at, actor, subject: userId });
    return true;
  });
}

/** Enables an account. @returns whether it was disabled before */
export async function enableAccount(
  accounts: Accounts,
  userId: string,
  { actor, client }: Administrator,
): Promise<boolean> {
  return commitChange(accounts, async ({ db }) => {
    const user = await holdUser(db, userId);
    if (!user || user.disabled_at === null) return false;
    await changeAccount(db, userId, { disabled_at: null });
    await accounts.securityLog.record(db, "enabled", userId, client);
    await recordAudit(db, { kind: "account-enabled", at: accounts.clock.now(), actor, subject: userId });
    return true;
  });
}

/**
 * Sets a new password, as if the owner had reset it by mail, and notifies the owner.
 * @throws Failure `invalid-input` if the password is refused; `not-found` if the account does not exist
 */
export async function setPasswordFor(
  accounts: Accounts,
  { id, ...names }: UserRow,
  password: string,
  { actor, client }: Administrator,
): Promise<void> {
  await refuseGuessable(accounts.config, password, names);
  const passwordHash = await accounts.passwords.hash(password);
  await commitChange(accounts, async (change) => {
    const user = await holdUser(change.db, id);
    if (!user) throw new Failure("not-found");
    await setPassword(accounts, change, { user, passwordHash, client, kind: "password-set" });
    await recordAudit(change.db, { kind: "password-set", at: accounts.clock.now(), actor, subject: id });
  });
}

/** Ends one session of an account, or all. @returns whether there was any */
export async function endSessionsOf(
  accounts: Accounts,
  userId: string,
  { sessionId, by }: { sessionId?: string | undefined; by: Administrator },
): Promise<boolean> {
  const { actor, client } = by;
  const event = sessionId === undefined ? "all-sessions-ended" : "session-ended";
  return commitChange(accounts, async (change) => {
    const user = await holdUser(change.db, userId);
    if (!user) return false;
    const subject = { user, client, ...(sessionId !== undefined && { sessionId }) };
    const { hasLostSessions } = await revokeTrust(accounts, change, event, subject);
    if (!hasLostSessions) return false;
    await accounts.securityLog.record(change.db, "session-ended", userId, client);
    await recordAudit(change.db, { kind: "sessions-ended", at: accounts.clock.now(), actor, subject: userId });
    return true;
  });
}

/** Sets the storage quota of an account in megabytes; `null` is the server's default. @returns whether it changed */
export async function setQuota(
  accounts: Accounts,
  userId: string,
  quotaMb: number | null,
  { actor }: Administrator,
): Promise<boolean> {
  return commitChange(accounts, async ({ db }) => {
    const user = await holdUser(db, userId);
    if (!user || user.quota_mb === quotaMb) return false;
    await changeAccount(db, userId, { quota_mb: quotaMb });
    const values = { before: { quotaMb: user.quota_mb }, after: { quotaMb } };
    await recordAudit(db, { kind: "quota-changed", at: accounts.clock.now(), actor, subject: userId, ...values });
    return true;
  });
}

/**
 * Gives an account another role.
 * @returns whether it had another one before
 * @throws Failure `last-owner`; `not-found` if the account does not exist
 */
export async function setRole(
  accounts: Accounts,
  userId: string,
  { role, by }: { role: AccountRole; by: Administrator },
): Promise<boolean> {
  return commitChange(accounts, async ({ db }) => {
    const user = await holdUser(db, userId);
    if (!user) throw new Failure("not-found");
    if (user.role === role) return false;
    await keepOwner(db, user);
    await changeAccount(db, userId, { role });
    const values = { before: { role: user.role }, after: { role } };
    const at = accounts.clock.now();
    await recordAudit(db, { kind: "role-changed", at, actor: by.actor, subject: userId, ...values });
    return true;
  });
}
