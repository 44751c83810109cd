import type { ChangePasswordRequest } from "#contract/accounts/account-settings.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { flowOf } from "../../limits/flow-of.ts";
import { changeAccount } from "../account-changes-store.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { hashNewPassword, refuseGuessable } from "../password-policy.ts";
import { checkPassword } from "../sign-in/check-password.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";

/**
 * Sets a new password, also the first one of an account without any. Revokes all other sessions, and changes that were
 * begun in them.
 * @throws Failure `wrong-password`; `invalid-input` if the current password is missing or the new one is refused;
 * `too-many-requests`, `unavailable`
 */
export async function changePassword(
  accounts: AccountContext,
  { currentPassword, password }: ChangePasswordRequest,
  changer: Changer,
): Promise<void> {
  const { database, mails, securityLog } = accounts;
  const { identity, client } = changer;
  const { userId, sessionId } = identity;
  const user = await findUser(database, userId);
  if (!user) throw new Failure("not-signed-in");
  const current = await checkCurrent(accounts, user, currentPassword, client);
  await refuseGuessable(accounts, password, user);
  const passwordHash = await hashNewPassword(accounts, password, flowOf(client, userId));
  await changeAs(accounts, identity, "proof", async (change) => {
    const { db, user: held } = change;
    // A concurrent request has changed the password first.
    if (held.password_hash !== current) throw new Failure("wrong-password");
    await changeAccount(db, userId, { password_hash: passwordHash, password_confirmed: 1 });
    await revokeTrust(accounts, change, "password-changed", { user: held, sessionId, client });
    await securityLog.record(db, "password-changed", userId, client);
    await mails.sendNotice(db, held, "password-changed", client);
  });
}

/** @returns the stored hash of the current password; null if the account has none */
async function checkCurrent(
  accounts: AccountContext,
  user: UserRow,
  password: string | undefined,
  client: Client,
): Promise<string | null> {
  if (user.password_hash === null) return null;
  if (password === undefined) {
    throw new Failure("invalid-input", { issues: [{ field: "currentPassword", rule: "required" }] });
  }
  const guess = { user, name: user.username, password, client, isSignedIn: true };
  const right = await checkPassword(accounts, guess);
  if (right === null) throw new Failure("wrong-password");
  return right;
}
