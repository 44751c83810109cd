import type { Database, Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { networkOf } from "../../limits/networks.ts";
import { mailboxKeyOf, usernameKeyOf } from "../account-keys.ts";
import { findUserByUsername } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";

type GiveBack = () => Promise<void>;
type LimitsDeps = Pick<Accounts, "limits">;

// Two kinds of subjects: the text that was typed decides what is answered, and depends on nothing that is stored; the
// mailbox decides whether a mail is sent, which no answer shows. One counter for both would show whose address a
// username has.
const isAddress = (typed: string) => typed.includes("@");
const typedSubject = (typed: string) =>
  isAddress(typed) ? `address ${mailboxKeyOf(typed)}` : `username ${usernameKeyOf(typed)}`;
const mailboxSubject = (email: string) => `mailbox ${mailboxKeyOf(email)}`;

/**
 * Counts a mail that somebody asks for: for their network, for the address or username that they typed, whether anybody
 * has it or not, and for the mailbox of a typed address.
 * @returns what takes it back, where no mail was sent after all
 * @throws Failure `too-many-requests`
 */
export async function countMail({ limits }: LimitsDeps, typed: string, client: Client): Promise<GiveBack> {
  const taken: GiveBack[] = [];
  const giveBack = async () => {
    for (const one of taken) await one();
  };
  const take = async (subject: string) => {
    taken.push(await limits.take("mail-to-address-minute", subject));
    taken.push(await limits.take("mail-to-address-hour", subject));
  };
  try {
    taken.push(await limits.take("mail", networkOf(client.ip)));
    await take(typedSubject(typed));
  } catch (error) {
    await giveBack();
    throw error;
  }
  // A mail to an address that was typed is sent also where the mailbox has had its share by usernames.
  if (isAddress(typed)) await take(mailboxSubject(typed)).catch(passTooMany);
  return giveBack;
}

/**
 * Counts, where a username was typed, the mail to the mailbox behind it. That must not show: a request that is refused
 * here gets the usual answer, and no mail.
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

/** Counts one mail more to a mailbox, within the request for another one. @returns whether it may be sent */
export async function permitsFurtherMail({ limits }: LimitsDeps, db: Queryable, email: string): Promise<boolean> {
  return limits.permits(db, "mail-to-address-hour", mailboxSubject(email));
}

function passTooMany(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
