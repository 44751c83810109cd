import { type ExchangedClassCode, toClassCode } from "#contract/administration/class-codes.ts";
import { shortTransaction } from "../../database/group-commit.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { networkOf } from "../../limits/networks.ts";
import type { AccountContext } from "../accounts.ts";
import { countCodeTry, takeBackCodeTry } from "./class-code-store.ts";
import { hashClassCode, invitationKeyOf } from "./invitation-keys.ts";
import { findInvitation } from "./invitation-store.ts";
import { mayUse, receiveInvitation } from "./spend-invitation.ts";

/**
 * Returns the invitation of a class code with the key of its link. Wrong codes are limited by network, by device, and in
 * all, even if rate limits are off. They are counted before the code is compared; the locks of the counts let concurrent
 * tries wait, so that a class that enters the right code at once is never refused.
 * @param client as the request presented it: a new device cookie must not give new tries
 * @throws Failure `bad-class-code`, the same for an unknown, used, expired, revoked or dead one and one for trusted
 *   networks; `too-many-requests`
 */
export async function exchangeClassCode(
  accounts: AccountContext,
  text: string,
  client: Client,
): Promise<ExchangedClassCode> {
  const codeHash = hashClassCode(accounts.classCodeSecret, toClassCode(text));
  const invitation = await shortTransaction(accounts.database, async (db) => {
    const giveBack = await countTry(accounts, db, client);
    const counted = await countCodeTry(db, accounts.clock.now());
    const code = counted.find(({ code_hash }) => code_hash === codeHash);
    const found = code && (await findInvitation(db, code.invitation_id));
    if (!found || !mayUse(client, found)) return undefined;
    await takeBackCodeTry(db, counted);
    await giveBack();
    return found;
  });
  if (!invitation) throw new Failure("bad-class-code");
  const key = invitationKeyOf(accounts.invitationSecret, invitation.id);
  return { ...(await receiveInvitation(accounts, invitation)), key };
}

async function countTry({ limits }: AccountContext, db: Queryable, client: Client): Promise<() => Promise<void>> {
  const network = networkOf(client.ip);
  const giveDeviceBack = await limits.takeAlways(db, "class-code-device", `${network} ${client.device ?? "none"}`);
  const giveBack = await limits.takeAlways(db, "class-code", network);
  return async () => {
    await giveDeviceBack();
    await giveBack();
  };
}
