import type { ErrorCode } from "#contract/errors.ts";
import { DAY } from "#contract/limits.ts";
import type { EmailKeyRow, UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { changeAccount } from "../account-changes-store.ts";
import { canonicalEmail, emailKeyOf } from "../account-keys.ts";
import { deletePendingByEmail, findVerifiedByEmail, holdEmailClaims, holdUser, isToBeGone } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { endEmailKeys, endLaterUndoKeys, findEmailKey, takeEmailKey } from "../mailed-keys/email-key-store.ts";
import { countMail } from "../mailed-keys/mail-limits.ts";
import { hashMailedKey, keyLivesMs } from "../mailed-keys/mailed-keys.ts";
import { refuseUnwantedDomain } from "../registration/registration-rules.ts";
import { removeFactorSince } from "../second-factor/change-second-factor.ts";
import { stopLoss } from "../second-factor/lose-factor.ts";
import { type Change, type Changer, changeAs, commitChange } from "../trust/change-as.ts";
import { isFamiliar } from "../trust/confirmed-password.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";

/**
 * Mails a key to the new address, and a notice to the current one. If the new address belongs to another account, that
 * account's owner is notified instead; the answer does not reveal it.
 * @throws Failure `registration-domain`, `too-many-requests`
 */
export async function askForEmail(
  accounts: AccountContext,
  email: string,
  { identity, client }: Changer,
): Promise<void> {
  const { database, installation, mails, securityLog } = accounts;
  refuseUnwantedDomain(await installation.readRegistration(database), email);
  await countMail(accounts, email, client);
  const address = canonicalEmail(email);
  await changeAs(accounts, identity, "proof", async ({ db, user }) => {
    const owner = await findVerifiedByEmail(db, emailKeyOf(email));
    if (owner && owner.id !== user.id) {
      await mails.holdEmailConfirmation(db, user, address);
      await mails.sendAlreadyHaveAccount(db, owner);
    } else await mails.sendEmailConfirmation(db, user, address, client.device);
    await securityLog.record(db, "email-change-asked", user.id, client);
    await mails.sendNotice(db, user, "email-change-asked", client);
  });
}

/** Cancels a requested change of address. */
export async function cancelEmail(accounts: AccountContext, { identity, client }: Changer): Promise<void> {
  await changeAs(accounts, identity, "session", async ({ db, user }) => {
    const ended = await endEmailKeys(db, user.id, ["change-email"]);
    if (ended.length > 0) await accounts.securityLog.record(db, "email-change-cancelled", user.id, client);
  });
}

/**
 * Uses a mailed key up and gives its account the new address; mails the old address a key that undoes it. A reader of
 * the new mailbox may not be the account's owner: if the key is used in another browser than the requesting one, all
 * other ways to sign in are revoked.
 * @throws Failure `bad-link`, also if another account got the address meanwhile; `too-many-requests`
 */
export async function confirmEmail(accounts: AccountContext, key: string, client: Client): Promise<void> {
  const { mails, securityLog } = accounts;
  await spendAddressKey(
    accounts,
    { key, purpose: "change-email", client, ifTaken: "bad-link" },
    async (change, given) => {
      const { db } = change;
      const { taken, user: before, address } = given;
      if (given.isTaken) throw new Failure("bad-link");
      const user = await changeAccount(db, before.id, { email: address, email_key: emailKeyOf(address) });
      const isAskers = await isFamiliar(db, before.id, client, taken.device);
      await revokeTrust(accounts, change, isAskers ? "email-changed" : "email-changed-elsewhere", {
        user: before,
        client,
      });
      await securityLog.record(db, "email-changed", before.id, client);
      await mails.sendEmailChanged(db, user ?? before, before.email, client);
    },
  );
}

/**
 * Uses a mailed key up and restores the account's old address. The attacker who changed it may have prepared other ways
 * to sign in, so all are revoked and only a further mail opens the account. They are revoked even if another account
 * has the address by now; the key then stays valid until the address is free.
 * @throws Failure `bad-link`, `address-taken`, `too-many-requests`
 */
export async function undoEmail(accounts: AccountContext, key: string, client: Client): Promise<void> {
  const { mails, securityLog } = accounts;
  const event = "email-change-undone";
  const isUndone = await spendAddressKey(
    accounts,
    { key, purpose: "undo-email", client, ifTaken: "address-taken" },
    async (change, { taken, user: before, address, isTaken }) => {
      const { db } = change;
      await revokeTrust(accounts, change, event, { user: before, client });
      // The attacker who changed the address may have switched it on, to keep the owner out.
      const changedAt = taken.expires_at - keyLivesMs["undo-email"];
      if (await removeFactorSince(db, before.id, changedAt - DAY)) {
        await securityLog.record(db, "second-factor-reset", before.id, client);
      }
      await stopLoss(accounts, db, before, client);
      if (isTaken) return false;
      const user = await changeAccount(db, before.id, { email: address, email_key: emailKeyOf(address) });
      await endLaterUndoKeys(db, taken);
      await securityLog.record(db, event, before.id, client);
      await mails.sendNotice(db, user ?? before, event, client);
      return true;
    },
  );
  if (!isUndone) throw new Failure("address-taken");
}

type AddressKey = { key: string; purpose: "change-email" | "undo-email"; client: Client; ifTaken: ErrorCode };

/** Result of an address key; `isTaken`: the address belongs to another account, and the key is not used up. */
type Given = { taken: EmailKeyRow; user: UserRow; address: string; isTaken: boolean };

/** Uses a key up and applies it in one transaction; removes all other pending claims to the address. */
async function spendAddressKey<T>(
  accounts: AccountContext,
  { key, purpose, client, ifTaken }: AddressKey,
  use: (change: Change, given: Given) => Promise<T>,
): Promise<T> {
  const { clock } = accounts;
  const hash = hashMailedKey(key);
  const now = clock.now();
  const using = commitChange(accounts, async (change) => {
    const { db } = change;
    const found = await findEmailKey(db, [purpose], hash, now);
    if (!found?.address) throw new Failure("bad-link");
    const { address } = found;
    const emailKey = emailKeyOf(address);
    await holdEmailClaims(db, emailKey);
    const user = await holdUser(db, found.user_id);
    const owner = await findVerifiedByEmail(db, emailKey);
    const isTaken = owner !== undefined && owner.id !== found.user_id;
    const taken = isTaken ? await findEmailKey(db, [purpose], hash, now) : await takeEmailKey(db, [purpose], hash, now);
    if (!user || !taken || isToBeGone(user, now)) throw new Failure("bad-link");
    const done = await use(change, { taken, user, address, isTaken });
    await deletePendingByEmail(db, emailKey);
    return done;
  });
  return countWrongKeys(accounts, client, () =>
    using.catch((error: unknown) => {
      throw isUniqueViolation(error) ? new Failure(ifTaken) : error;
    }),
  );
}
