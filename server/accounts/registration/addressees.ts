import type { Queryable, UserRow } from "../../database/schema.ts";
import { emailKeyOf, usernameKeyOf } from "../account-keys.ts";
import { findUserByUsername, findVerifiedByEmail, holdEmailClaims, listPendingByEmail } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import { hasUnconfirmedPassword } from "../trust/confirmed-password.ts";
import { permitsFurtherMail } from "./mail-limits.ts";

/** Several pending accounts may claim one address; each of its mails names its own. */
const MAILS_MAX = 10;

/** Whom a mail that was asked for by an address or a username is for. */
export type Addressees = {
  /** The account with that username; none where an address was given. */
  named: UserRow | undefined;
  /** The verified account that has the address. */
  owner: UserRow | undefined;
  /** Those who may still become that: all that claim the address, or the named one alone. */
  pending: UserRow[];
};

/** Finds them, and holds all claims to their address until the end of the transaction. */
export async function findAddressees(db: Queryable, addressOrUsername: string): Promise<Addressees> {
  const isAddress = addressOrUsername.includes("@");
  const usernameKey = usernameKeyOf(addressOrUsername);
  const found = isAddress ? undefined : await findUserByUsername(db, usernameKey);
  const emailKey = found?.email_key ?? emailKeyOf(addressOrUsername);
  // Before any of them is read: whoever proves the address meanwhile ends them.
  await holdEmailClaims(db, emailKey);
  const named = isAddress ? undefined : await findUserByUsername(db, usernameKey);
  const claims = await listPendingByEmail(db, emailKey, MAILS_MAX);
  return {
    named,
    owner: await findVerifiedByEmail(db, emailKey),
    pending: isAddress ? claims : named?.verified_at === null ? [named] : [],
  };
}

/** Mails what helps to prove an address; says nothing about whether there was anybody to mail to. */
export async function mailVerification(
  { limits, mails }: Pick<Accounts, "limits" | "mails">,
  db: Queryable,
  { named, owner, pending }: Addressees,
): Promise<void> {
  const isOwners = named === undefined || named.id === owner?.id;
  if (owner && isOwners && hasUnconfirmedPassword(owner)) return mails.sendPasswordConfirmation(db, owner);
  // Its name alone says that whoever asks knows of the account already.
  if (owner && named?.id !== owner.id) return mails.sendAlreadyHaveAccount(db, owner);
  if (owner || pending.length === 0) return mails.sendNothing(db);
  for (const [at, user] of pending.entries()) {
    // The first one was counted with the request.
    if (at > 0 && !(await permitsFurtherMail({ limits }, db, user.email))) return;
    await mails.resendVerification(db, user);
  }
}
