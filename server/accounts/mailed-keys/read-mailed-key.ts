import { type MailedKeyAnswer, mailedKeyPurposes } from "#contract/accounts/account-settings.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { findUser, isToBeGone } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "./count-wrong-keys.ts";
import { findEmailKey } from "./email-key-store.ts";
import { hashMailedKey } from "./mailed-keys.ts";

/**
 * Returns the purpose of a mailed key and the username of its account, so that a page can show both before it uses the
 * key. Does not use the key up, but counts as an attempt to use one.
 * @throws Failure `bad-link`, the same for an invalid, used, replaced or expired key; `too-many-requests`
 */
export async function readMailedKey(accounts: AccountContext, key: string, client: Client): Promise<MailedKeyAnswer> {
  const { database, clock } = accounts;
  const now = clock.now();
  return countWrongKeys(accounts, client, async () => {
    const found = await findEmailKey(database, mailedKeyPurposes, hashMailedKey(key), now);
    const user = found && (await findUser(database, found.user_id));
    if (!user || found.purpose === "verified-email" || isToBeGone(user, now)) throw new Failure("bad-link");
    return { purpose: found.purpose, username: user.username };
  });
}
