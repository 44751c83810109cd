import type { Client } from "../../http/client.ts";
import type { Accounts } from "../accounts.ts";
import { findAddressees, mailVerification } from "./addressees.ts";
import { inEvenTime } from "./in-even-time.ts";
import { countHiddenMail, countMail } from "./mail-limits.ts";

/**
 * Mails new keys to what waits to be verified under an address or a username; says nothing about whether there was any.
 * @throws Failure `too-many-requests`, whoever is asked for
 */
export async function resendVerification(accounts: Accounts, addressOrUsername: string, client: Client): Promise<void> {
  await countMail(accounts, addressOrUsername, client);
  await inEvenTime(mailAsked(accounts, addressOrUsername));
}

async function mailAsked(accounts: Accounts, addressOrUsername: string): Promise<void> {
  const { database, mails, outbox } = accounts;
  const mayMail = await countHiddenMail(accounts, addressOrUsername);
  await database.transaction().execute(async (db) => {
    const addressees = await findAddressees(db, addressOrUsername);
    await (mayMail ? mailVerification(accounts, db, addressees) : mails.sendNothing(db));
  });
  outbox.notify();
}
