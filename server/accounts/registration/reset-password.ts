import type { ResetPasswordRequest } from "#contract/account-settings.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { networkOf } from "../../limits/limits.ts";
import { changeAccount } from "../account-changes-store.ts";
import { findUser, holdUser, isToBeGone } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import { findEmailKey, takeEmailKey } from "../email-key-store.ts";
import { hashMailedKey } from "../mailed-keys.ts";
import { refuseGuessable } from "../password-policy.ts";
import { rememberDeviceOf } from "../sessions/device-store.ts";
import { type Change, commitChange } from "../trust/change-as.ts";
import { loseTrust } from "../trust/lose-trust.ts";

/**
 * Uses a mailed key up and sets a new password. Whoever was signed in is signed out, a Google account that opened the
 * account beside a password is disconnected, and what else was mailed to get into the account ends; only changes of its
 * address can still be undone.
 * @throws Failure `bad-link`, alike for a wrong, used, replaced or expired key; `invalid-input` where the password is
 * refused, which leaves the key as it is; `too-many-requests`, `unavailable`
 */
export async function resetPassword(
  accounts: Accounts,
  { key, password }: ResetPasswordRequest,
  client: Client,
): Promise<void> {
  const { config, database, clock, limits, passwords } = accounts;
  await limits.take("key-try", networkOf(client.ip));
  const hash = hashMailedKey(key);
  const now = clock.now();
  const found = await findEmailKey(database, ["reset-password"], hash, now);
  const owner = found && (await findUser(database, found.user_id));
  if (!owner || isToBeGone(owner, now)) throw new Failure("bad-link");
  await refuseGuessable(config, password, owner);
  const passwordHash = await passwords.hash(password);
  await commitChange(accounts, async (change) => {
    const user = await holdUser(change.db, owner.id);
    const taken = await takeEmailKey(change.db, ["reset-password"], hash, now);
    if (!user || !taken || isToBeGone(user, now)) throw new Failure("bad-link");
    await setPassword(accounts, change, { user, passwordHash, client });
  });
}

type NewPassword = { user: UserRow; passwordHash: string; client: Client };

async function setPassword(accounts: Accounts, change: Change, { user, passwordHash, client }: NewPassword) {
  const { clock, mails, securityLog } = accounts;
  const { db } = change;
  await changeAccount(db, user.id, { password_hash: passwordHash, password_confirmed: 1 });
  const { hasLostGoogle } = await loseTrust(accounts, change, "password-reset", { user, client });
  // Whoever reads the account's mails is its owner: strangers' guesses must not keep them out here.
  if (client.isBrowser) await rememberDeviceOf(db, user.id, client, clock.now());
  await securityLog.record(db, "password-reset", user.id, client);
  await mails.sendNotice(db, user, "password-reset", client);
  if (hasLostGoogle) await mails.sendNotice(db, user, "google-disconnected", client);
}
