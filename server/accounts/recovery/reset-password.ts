import type { ResetPasswordRequest } from "#contract/accounts/account-settings.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { flowOf } from "../../limits/flow-of.ts";
import { changeAccount } from "../account-changes-store.ts";
import { findUser, holdUser, isToBeGone } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { findEmailKey, takeEmailKey } from "../mailed-keys/email-key-store.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { hashNewPassword, refuseGuessable } from "../password-policy.ts";
import { refuseOtherWays } from "../refuse-other-ways.ts";
import { rememberDeviceOf } from "../sessions/device-store.ts";
import { type Change, commitChange } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";

/**
 * Uses a mailed key up and sets a new password. Ends all sessions, disconnects a Google account that could sign in
 * beside a password, and removes other mailed keys that sign in. Changes of address can still be undone.
 * @throws Failure `bad-link`, the same for an invalid, used, replaced or expired key; `invalid-input` if the password
 * is refused, which does not use the key up; `too-many-requests`, `unavailable`
 */
export async function resetPassword(
  accounts: AccountContext,
  { key, password }: ResetPasswordRequest,
  client: Client,
): Promise<void> {
  refuseOtherWays(accounts);
  return countWrongKeys(accounts, client, () => useKey(accounts, { key, password }, client));
}

async function useKey(
  accounts: AccountContext,
  { key, password }: ResetPasswordRequest,
  client: Client,
): Promise<void> {
  const { database, clock } = accounts;
  const hash = hashMailedKey(key);
  const now = clock.now();
  const found = await findEmailKey(database, ["reset-password"], hash, now);
  const owner = found && (await findUser(database, found.user_id));
  if (!owner || isToBeGone(owner, now)) throw new Failure("bad-link");
  await refuseGuessable(accounts, password, owner);
  const passwordHash = await hashNewPassword(accounts, password, flowOf(client, owner.id));
  await commitChange(accounts, async (change) => {
    const user = await holdUser(change.db, owner.id);
    const taken = await takeEmailKey(change.db, ["reset-password"], hash, now);
    if (!user || !taken || isToBeGone(user, now)) throw new Failure("bad-link");
    await setPassword(accounts, change, { user, passwordHash, client, kind: "password-reset" });
  });
}

type NewPassword = {
  user: UserRow;
  passwordHash: string;
  client: Client;
  /** Reset by the owner, or set by an administrator. */
  kind: "password-reset" | "password-set";
};

/** Sets the password of a locked account row, and revokes what the former password had opened. */
export async function setPassword(
  accounts: AccountContext,
  change: Change,
  { user, passwordHash, client, kind }: NewPassword,
): Promise<void> {
  const { clock, mails, securityLog } = accounts;
  const { db } = change;
  await changeAccount(db, user.id, { password_hash: passwordHash, password_confirmed: 1 });
  const { hasLostGoogle, hasLostIdentities } = await revokeTrust(accounts, change, "password-reset", { user, client });
  // A reader of the account's mails is its owner: failed guesses of others must not lock this browser out.
  if (client.isBrowser) await rememberDeviceOf(db, user.id, client, clock.now());
  await securityLog.record(db, kind, user.id, client);
  await mails.sendNotice(db, user, kind, client);
  if (hasLostGoogle) await mails.sendNotice(db, user, "google-disconnected", client);
  if (hasLostIdentities) await mails.sendNotice(db, user, "identity-disconnected", client);
}
