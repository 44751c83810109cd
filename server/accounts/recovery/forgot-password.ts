import type { Queryable } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { isToBeGone } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import { findAddressees, mailVerification } from "../registration/addressees.ts";
import { inEvenTime } from "../registration/in-even-time.ts";
import { countHiddenMail, countMail } from "../registration/mail-limits.ts";

/**
 * Mails a link to set a new password to the account that an address or a username belongs to, whether it has a password
 * yet or not; to who was never verified, what verifies them. Says nothing about whether there was anybody.
 * @throws Failure `too-many-requests`, whoever is asked for
 */
export async function forgotPassword(accounts: Accounts, addressOrUsername: string, client: Client): Promise<void> {
  await countMail(accounts, addressOrUsername, client);
  await inEvenTime(mailAsked(accounts, addressOrUsername, client));
}

async function mailAsked(accounts: Accounts, addressOrUsername: string, client: Client): Promise<void> {
  const { database, mails, outbox } = accounts;
  const mayMail = await countHiddenMail(accounts, addressOrUsername);
  await database
    .transaction()
    .execute((db) => (mayMail ? mailReset(accounts, db, addressOrUsername, client) : mails.sendNothing(db)));
  outbox.notify();
}

async function mailReset(accounts: Accounts, db: Queryable, addressOrUsername: string, client: Client): Promise<void> {
  const { clock, mails, securityLog } = accounts;
  const addressees = await findAddressees(db, addressOrUsername);
  const { named, owner } = addressees;
  const isOwners = owner && (!named || named.id === owner.id) && !isToBeGone(owner, clock.now());
  if (isOwners) await mails.sendPasswordReset(db, owner);
  else await mailVerification(accounts, db, addressees);
  await securityLog.record(db, "password-reset-asked", isOwners ? owner.id : null, client);
}
