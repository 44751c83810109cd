import type { RegisterRequest } from "#contract/accounts/accounts.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import { flowOf } from "../../limits/flow-of.ts";
import { changeAccount } from "../account-changes-store.ts";
import { mailboxOfOthers } from "../account-keys.ts";
import {
  deleteLapsedByUsername,
  deletePendingByEmail,
  findUserByUsername,
  findVerifiedByEmail,
  holdEmailClaims,
  insertUser,
  markVerified,
} from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { completeInvitation } from "../invitations/spend-invitation.ts";
import { hashNewPassword, refuseGuessable } from "../password-policy.ts";
import { setPassword } from "../recovery/reset-password.ts";
import { toPendingAccount } from "../registration/register.ts";
import { keepOwner, makeFirstOwner } from "../roles/owners.ts";
import { commitChange } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";
import { type Administrator, holdAdministered } from "./administrator.ts";

/** Account of commands in the queue of passwords. */
const COMMAND_LINE = "command line";

/**
 * Creates a verified account, even if registration is closed.
 * @throws Failure `username-taken`, `address-taken`; `invalid-input` if the password is refused
 */
export async function createAccount(
  accounts: AccountContext,
  request: RegisterRequest,
  { actor, client }: Administrator,
): Promise<UserRow> {
  const { clock, config, database, securityLog } = accounts;
  await refuseGuessable(accounts, request.password, request);
  const passwordHash = await hashNewPassword(accounts, request.password, flowOf(client, actor ?? COMMAND_LINE));
  const now = clock.now();
  const user = { ...toPendingAccount(request, passwordHash, now), verified_at: now };
  const create = database.transaction().execute(async (db) => {
    await holdEmailClaims(db, user.email_key);
    await deleteLapsedByUsername(db, user.username_key, now);
    if (await findVerifiedByEmail(db, user.email_key)) throw new Failure("address-taken");
    if (await findUserByUsername(db, user.username_key)) throw new Failure("username-taken");
    await deletePendingByEmail(db, user.email_key);
    await insertUser(db, user);
    await securityLog.record(db, "registered", user.id, client);
    await recordAudit(db, { kind: "account-created", at: now, actor, subject: user.id });
    await makeFirstOwner({ config, client, now }, db, user);
  });
  await create.catch(throwTaken);
  return user;
}

/**
 * Marks an account as verified and its password as the owner's, as if the owner had used the mailed key.
 * @returns whether it was unverified before
 * @throws Failure `address-taken` if the address belongs to another verified account; `not-found`, `not-permitted`
 */
export async function verifyAccount(accounts: AccountContext, user: UserRow, by: Administrator): Promise<boolean> {
  const { clock, config, database, securityLog } = accounts;
  const { actor, client } = by;
  const verify = database.transaction().execute(async (db) => {
    await holdEmailClaims(db, user.email_key);
    // Before the lock of administration: the removal of other accounts locks their invitations.
    const verified = await markVerified(db, user.id, clock.now(), true);
    if (verified) await deletePendingByEmail(db, user.email_key);
    await holdAdministered(accounts, db, user.id, { by, act: "assist" });
    if (!verified) return false;
    await securityLog.record(db, "verified", user.id, client);
    const now = clock.now();
    await recordAudit(db, { kind: "account-verified", at: now, actor, subject: user.id });
    await completeInvitation(db, await makeFirstOwner({ config, client, now }, db, verified), now);
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
 * @throws Failure `last-owner`, `not-found`, `not-permitted`
 */
export async function disableAccount(accounts: AccountContext, userId: string, by: Administrator): Promise<boolean> {
  const { actor, client } = by;
  return commitChange(accounts, async (change) => {
    const { db } = change;
    const user = await holdAdministered(accounts, db, userId, { by, act: "disable" });
    if (user.disabled_at !== null) return false;
    const at = accounts.clock.now();
    await keepOwner(db, user);
    await changeAccount(db, userId, { disabled_at: at });
    await revokeTrust(accounts, change, "disabled", { user, client });
    await accounts.securityLog.record(db, "disabled", userId, client);
    await recordAudit(db, { kind: "account-disabled", at, actor, subject: userId });
    return true;
  });
}

/** Enables an account. @returns whether it was disabled before @throws Failure `not-found`, `not-permitted` */
export async function enableAccount(accounts: AccountContext, userId: string, by: Administrator): Promise<boolean> {
  const { actor, client } = by;
  return commitChange(accounts, async ({ db }) => {
    const user = await holdAdministered(accounts, db, userId, { by, act: "assist" });
    if (user.disabled_at === null) return false;
    await changeAccount(db, userId, { disabled_at: null });
    await accounts.securityLog.record(db, "enabled", userId, client);
    await recordAudit(db, { kind: "account-enabled", at: accounts.clock.now(), actor, subject: userId });
    return true;
  });
}

/**
 * Sets a new password, as if the owner had reset it by mail, and notifies the owner.
 * @throws Failure `invalid-input` if the password is refused; `not-found`, `not-permitted`
 */
export async function setPasswordFor(
  accounts: AccountContext,
  { id, ...names }: UserRow,
  password: string,
  by: Administrator,
): Promise<void> {
  const { actor, client } = by;
  await refuseGuessable(accounts, password, names);
  const passwordHash = await hashNewPassword(accounts, password, flowOf(client, actor ?? COMMAND_LINE));
  await commitChange(accounts, async (change) => {
    const user = await holdAdministered(accounts, change.db, id, { by });
    await setPassword(accounts, change, { user, passwordHash, client, kind: "password-set" });
    await recordAudit(change.db, { kind: "password-set", at: accounts.clock.now(), actor, subject: id });
  });
}

/** Ends one session of an account, or all. @returns whether there was any @throws Failure `not-found`, `not-permitted` */
export async function endSessionsOf(
  accounts: AccountContext,
  userId: string,
  { sessionId, by }: { sessionId?: string | undefined; by: Administrator },
): Promise<boolean> {
  const { actor, client } = by;
  const event = sessionId === undefined ? "all-sessions-ended" : "session-ended";
  return commitChange(accounts, async (change) => {
    const user = await holdAdministered(accounts, change.db, userId, { by, act: "assist" });
    const subject = { user, client, ...(sessionId !== undefined && { sessionId }) };
    const { hasLostSessions } = await revokeTrust(accounts, change, event, subject);
    if (!hasLostSessions) return false;
    await accounts.securityLog.record(change.db, "session-ended", userId, client);
    await recordAudit(change.db, { kind: "sessions-ended", at: accounts.clock.now(), actor, subject: userId });
    return true;
  });
}

/**
 * Mails a link for a new password, as if the account's owner had asked for it; an unverified account gets its
 * verification link. Mails that accounts cause are limited by mailbox.
 * @throws Failure `not-found`, `not-permitted`, `too-many-requests`
 */
export async function sendReset(
  accounts: AccountContext,
  { id, email_key }: UserRow,
  by: Administrator,
): Promise<void> {
  const { clock, limits, mails, securityLog } = accounts;
  const { actor, client } = by;
  await commitChange(accounts, async ({ db }) => {
    await holdEmailClaims(db, email_key);
    const user = await holdAdministered(accounts, db, id, { by, act: "assist" });
    const isAllowed = actor === null || (await limits.permits(db, "mail-to-address-hour", mailboxOfOthers(user.email)));
    if (!isAllowed) throw new Failure("too-many-requests");
    if (user.verified_at === null) await mails.resendVerification(db, user);
    else await mails.sendPasswordReset(db, user);
    await securityLog.record(db, "password-reset-asked", id, client);
    await recordAudit(db, { kind: "password-reset-sent", at: clock.now(), actor, subject: id });
  });
}

/**
 * Marks an account for immediate deletion and signs it out everywhere. A server removes it in the background.
 * @throws Failure `last-owner`, `not-found`, `not-permitted`
 */
export async function deleteAccount(accounts: AccountContext, userId: string, by: Administrator): Promise<void> {
  if (!(await accounts.deletions.markFor(userId, by))) throw new Failure("not-found");
  accounts.deletions.removeDueSoon();
}
