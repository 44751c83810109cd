import type { Database } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { networkOf } from "../../limits/limits.ts";
import { emailKeyOf, usernameKeyOf } from "../account-keys.ts";
import { findUserByUsername } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";

type GiveBack = () => Promise<void>;
type LimitsGround = Pick<Accounts, "limits">;

/**
 * Counts a mail that somebody asks for: theirs, and that of the address or username they typed, whether anybody has it
 * or not.
 * @returns what takes it back, where no mail was sent after all
 * @throws Failure `too-many-requests`
 */
export async function countMail({ limits }: LimitsGround, typed: string, client: Client): Promise<GiveBack> {
  const subject = emailKeyOf(typed);
  const taken: GiveBack[] = [];
  const giveBack = async () => {
    for (const one of taken) await one();
  };
  try {
    taken.push(await limits.take("mail", networkOf(client.ip)));
    taken.push(await limits.take("mail-to-address-minute", subject));
    taken.push(await limits.take("mail-to-address-hour", subject));
    return giveBack;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/**
 * Counts, where a username was typed, the mail to the address behind it. That must not show: whoever is refused here
 * gets the answer of everybody, and no mail.
 * @returns whether the mail may be sent
 */
export async function countHiddenMail(
  { limits, database }: LimitsGround & { database: Database },
  typed: string,
): Promise<boolean> {
  if (typed.includes("@")) return true;
  const user = await findUserByUsername(database, usernameKeyOf(typed));
  const subject = user?.email_key ?? `nobody ${usernameKeyOf(typed)}`;
  try {
    await limits.take("mail-to-address-minute", subject);
    await limits.take("mail-to-address-hour", subject);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
