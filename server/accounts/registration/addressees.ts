import type { Queryable, UserRow } from "../../database/schema.ts";
import { emailKeyOf, usernameKeyOf } from "../account-keys.ts";
import { findUserByUsername, findVerifiedByEmail, holdEmailClaims, listPendingByEmail } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { permitsFurtherMail } from "../mailed-keys/mail-limits.ts";
import { hasUnconfirmedPassword } from "../trust/confirmed-password.ts";

/** Several pending accounts may have one address; each mail names its own account. */
const MAILS_MAX = 10;

/** The accounts for which a mail was requested, by address or username. */
export type Addressees = {
  /** The account with that username; undefined if an address was given. */
  named: UserRow | undefined;
  /** The verified account with the address. */
  owner: UserRow | undefined;
  /** Pending accounts to verify: all with the address, or only the one with the username. */
  pending: UserRow[];
};

/** Finds the accounts, and locks all accounts with their address until the end of the transaction. */
export async function findAddressees(db: Queryable, addressOrUsername: string): Promise<Addressees> {
  const isAddress = addressOrUsername.includes("@");
  const usernameKey = usernameKeyOf(addressOrUsername);
  const found = isAddress ? undefined : await findUserByUsername(db, usernameKey);
  const emailKey = found?.email_key ?? emailKeyOf(addressOrUsername);
  // Locks before reading, because a concurrent verification removes the other accounts.
  await holdEmailClaims(db, emailKey);
  const named = isAddress ? undefined : await findUserByUsername(db, usernameKey);
  const claims = await listPendingByEmail(db, emailKey, MAILS_MAX);
  return {
    named,
    owner: await findVerifiedByEmail(db, emailKey),
    pending: isAddress ? claims : named?.verified_at === null ? [named] : [],
  };
}

/** Mails verification links. Does not reveal whether an account exists. */
export async function mailVerification(
  { limits, mails }: Pick<AccountContext, "limits" | "mails">,
  db: Queryable,
  { named, owner, pending }: Addressees,
): Promise<void> {
  const isOwners = named === undefined || named.id === owner?.id;
  if (owner && isOwners && hasUnconfirmedPassword(owner)) return mails.sendPasswordConfirmation(db, owner);
  // The username alone shows that the requester knows of the account already.
  if (owner && named?.id !== owner.id) return mails.sendAlreadyHaveAccount(db, owner);
  if (owner || pending.length === 0) return mails.sendNothing(db);
  for (const [at, user] of pending.entries()) {
    // The request itself has counted the first mail.
    if (at > 0 && !(await permitsFurtherMail({ limits }, db, user.email))) return;
    await mails.resendVerification(db, user);
  }
}
