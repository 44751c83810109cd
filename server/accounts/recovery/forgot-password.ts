import type { Queryable } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { isToBeGone } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countHiddenMail, countMail } from "../mailed-keys/mail-limits.ts";
import { refuseOtherWays } from "../refuse-other-ways.ts";
import { findAddressees, mailVerification } from "../registration/addressees.ts";
import { inEvenTime } from "../registration/in-even-time.ts";

/**
 * Mails a link for a new password to the account with an address or username, even if it has no password yet; an
 * unverified account gets its verification link. Does not reveal whether an account exists.
 * @throws Failure `too-many-requests`, for existing and unknown names alike
 */
export async function forgotPassword(
  accounts: AccountContext,
  addressOrUsername: string,
  client: Client,
): Promise<void> {
  refuseOtherWays(accounts);
  await countMail(accounts, addressOrUsername, client);
  await inEvenTime(mailAsked(accounts, addressOrUsername, client));
}

async function mailAsked(accounts: AccountContext, addressOrUsername: string, client: Client): Promise<void> {
  const { database, mails, outbox } = accounts;
  const mayMail = await countHiddenMail(accounts, addressOrUsername);
  await database
    .transaction()
    .execute((db) => (mayMail ? mailReset(accounts, db, addressOrUsername, client) : mails.sendNothing(db)));
  outbox.notify();
}

async function mailReset(
  accounts: AccountContext,
  db: Queryable,
  addressOrUsername: string,
  client: Client,
): Promise<void> {
  const { clock, mails, securityLog } = accounts;
  const addressees = await findAddressees(db, addressOrUsername);
  const { named, owner } = addressees;
  const isOwners = owner && (!named || named.id === owner.id) && !isToBeGone(owner, clock.now());
  if (isOwners) await mails.sendPasswordReset(db, owner);
  else await mailVerification(accounts, db, addressees);
  await securityLog.record(db, "password-reset-asked", isOwners ? owner.id : null, client);
}
