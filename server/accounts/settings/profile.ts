import type { AccountDetails, NamesChange } from "#contract/accounts/account-settings.ts";
import type { Preferences } from "#contract/accounts/preference-calls.ts";
import type { Instructions } from "#contract/conversation/preset-calls.ts";
import { topics } from "../../bus/bus.ts";
import type { UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import { changeAccount } from "../account-changes-store.ts";
import { usernameKeyOf } from "../account-keys.ts";
import { deleteLapsedByUsername, findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { listIdentities } from "../external-identity-store.ts";
import { findKeyOfAccount } from "../mailed-keys/email-key-store.ts";
import { readSecondFactor } from "../second-factor/change-second-factor.ts";
import { isSecondFactorRequired } from "../second-factor/required-factor.ts";
import { readLastSignIns } from "../sessions/last-sign-in-store.ts";
import { preferencesOf } from "../to-user.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { hasPasskey } from "../webauthn/has-passkey.ts";

/** Returns the account's details for the settings page. */
export async function readAccount(accounts: AccountContext, userId: string): Promise<AccountDetails> {
  const { database, clock } = accounts;
  const user = await findUser(database, userId);
  if (!user) throw new Failure("not-signed-in");
  const pending = await findKeyOfAccount(database, userId, "change-email", clock.now());
  return {
    hasPassword: user.password_hash !== null,
    hasGoogle: user.google_subject !== null,
    ...((await hasPasskey(accounts, database, userId)) && { hasPasskeys: true as const }),
    ...((await listIdentities(database, userId)).length > 0 && { hasIdentities: true as const }),
    pendingEmail: pending?.address ?? null,
    createdAt: user.created_at,
    secondFactor: await readSecondFactor(database, userId, clock.now()),
    lastSignIns: await readLastSignIns(database, userId),
    needsSecondFactor: await isSecondFactorRequired(accounts, database, user),
  };
}

/** Returns the account's instructions for models. */
export async function readInstructions({ database }: AccountContext, userId: string): Promise<Instructions> {
  const user = await findUser(database, userId);
  if (!user) throw new Failure("not-signed-in");
  return { instructions: user.instructions };
}

/**
 * Changes the instructions without re-authentication, because the page saves while the user types; all sessions are
 * notified instead. Adds at most one row a minute and session to the security log, and none if nothing changes.
 */
export async function changeInstructions(
  accounts: AccountContext,
  { instructions }: Instructions,
  { identity, client }: Changer,
): Promise<Instructions> {
  await changeAs(accounts, identity, "session", async ({ db, user }) => {
    if (user.instructions === instructions) return;
    await changeAccount(db, user.id, { instructions });
    const event = { kind: "instructions-changed", userId: user.id, about: identity.sessionId } as const;
    await accounts.securityLog.recordNowAndThen(db, event, client);
  });
  accounts.bus.publish(topics.account(identity.userId));
  return { instructions };
}

/** Adds nothing to the security log if nothing changes. @throws Failure `too-many-requests` */
export async function changeNames(
  accounts: AccountContext,
  change: NamesChange,
  { identity, client }: Changer,
): Promise<UserRow> {
  await accounts.limits.take("name-change", identity.userId);
  return changeAs(accounts, identity, "session", async ({ db, user }) => {
    const { firstname = user.firstname, lastname = user.lastname } = change;
    if (user.firstname === firstname && user.lastname === lastname) return user;
    await accounts.securityLog.record(db, "names-changed", user.id, client);
    return (await changeAccount(db, user.id, { firstname, lastname })) ?? user;
  });
}

/**
 * Merges `change` into the account's preferences. A preference grants no access, so the security log has no entry.
 * @returns the changed account
 */
export async function changePreferences(
  accounts: AccountContext,
  change: Preferences,
  { identity }: Pick<Changer, "identity">,
): Promise<UserRow> {
  return changeAs(accounts, identity, "session", async ({ db, user }) => {
    const preferences = JSON.stringify({ ...preferencesOf(user), ...change });
    if (preferences === user.preferences) return user;
    return (await changeAccount(db, user.id, { preferences })) ?? user;
  });
}

/** @throws Failure `username-taken`, `too-many-requests` */
export async function changeUsername(
  accounts: AccountContext,
  username: string,
  { identity, client }: Changer,
): Promise<UserRow> {
  const { clock, limits, mails, securityLog } = accounts;
  await limits.take("name-look-up", identity.userId);
  const key = usernameKeyOf(username);
  const change = changeAs(accounts, identity, "proof", async ({ db, user: held }) => {
    await deleteLapsedByUsername(db, key, clock.now());
    const user = (await changeAccount(db, held.id, { username, username_key: key })) ?? held;
    await securityLog.record(db, "username-changed", user.id, client);
    await mails.sendNotice(db, user, "username-changed", client);
    return user;
  });
  return change.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Failure("username-taken") : error;
  });
}
