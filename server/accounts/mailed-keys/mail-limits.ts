import type { Database, Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { GiveBack } from "../../limits/limits.ts";
import { mailboxKeyOf, usernameKeyOf } from "../account-keys.ts";
import { findUserByUsername } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";

type LimitsDeps = Pick<AccountContext, "limits">;

// Two kinds of limits. The limit by typed text decides the answer, and depends on nothing stored. The limit by mailbox
// decides whether a mail is sent, which no answer reveals. One counter for both would reveal which address a username
// has.
const isAddress = (typed: string) => typed.includes("@");
const typedSubject = (typed: string) =>
  isAddress(typed) ? `address ${mailboxKeyOf(typed)}` : `username ${usernameKeyOf(typed)}`;
const mailboxSubject = (email: string) => `mailbox ${mailboxKeyOf(email)}`;

/**
 * Counts a requested mail: for the network, for the typed address or username (existing or not), and for the mailbox of
 * a typed address.
 * @returns a function that takes the counts back if no mail was sent
 * @throws Failure `too-many-requests`
 */
export async function countMail({ limits }: LimitsDeps, typed: string, client: Client): Promise<GiveBack> {
  const giveNetworkBack = await limits.takeOfNetwork("mail", client);
  const giveMailBack = await countMailTo({ limits }, typed).catch(async (error: unknown) => {
    await giveNetworkBack();
    throw error;
  });
  return async () => {
    await giveNetworkBack();
    await giveMailBack();
  };
}

/** Like {@link countMail}, but not for a network: for people with an invitation, whose uses bound the mails. */
export async function countMailTo({ limits }: LimitsDeps, typed: string): Promise<GiveBack> {
  const taken: GiveBack[] = [];
  const giveBack = async () => {
    for (const one of taken) await one();
  };
  const take = async (subject: string) => {
    taken.push(await limits.take("mail-to-address-minute", subject));
    taken.push(await limits.take("mail-to-address-hour", subject));
  };
  try {
    await take(typedSubject(typed));
  } catch (error) {
    await giveBack();
    throw error;
  }
  // A mail to a typed address is sent even if requests by username have used up the mailbox's limit.
  if (isAddress(typed)) await take(mailboxSubject(typed)).catch(passTooMany);
  return giveBack;
}

/**
 * Counts a mail by username for the mailbox behind it. The answer must not reveal this limit: a refused request gets
 * the usual answer, but no mail.
 * @returns whether the mail may be sent
 */
export async function countHiddenMail(
  { limits, database }: LimitsDeps & { database: Database },
  typed: string,
): Promise<boolean> {
  if (isAddress(typed)) return true;
  const user = await findUserByUsername(database, usernameKeyOf(typed));
  const subject = user ? mailboxSubject(user.email) : `nobody ${usernameKeyOf(typed)}`;
  try {
    await limits.take("mail-to-address-minute", subject);
    await limits.take("mail-to-address-hour", subject);
    return true;
  } catch (error) {
    passTooMany(error);
    return false;
  }
}

/** Counts one more mail to a mailbox, beyond the one of the request. @returns whether it may be sent */
export async function permitsFurtherMail({ limits }: LimitsDeps, db: Queryable, email: string): Promise<boolean> {
  return limits.permits(db, "mail-to-address-hour", mailboxSubject(email));
}

function passTooMany(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
