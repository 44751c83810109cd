import { LOSS_WAIT_HOURS } from "#contract/accounts/second-factor.ts";
import { HOUR } from "#contract/limits.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { findUser, holdUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { endEmailKeys, takeEmailKey } from "../mailed-keys/email-key-store.ts";
import { countMail } from "../mailed-keys/mail-limits.ts";
import { hashMailedKey, type KeyPurpose } from "../mailed-keys/mailed-keys.ts";
import { findTicket } from "../sessions/ticket-store.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { removeSecondFactor } from "./change-second-factor.ts";
import { deleteLoss, findLoss, insertLoss } from "./lost-factor-store.ts";
import { findTotpFactor } from "./second-factor-store.ts";

/**
 * Mails the key of {@link beginLoss} to the account of a ticket.
 * @throws Failure `second-step-expired`, `too-many-requests`
 */
export async function askForLoss(accounts: AccountContext, ticket: string, client: Client): Promise<void> {
  const { clock, database, mails, outbox, securityLog } = accounts;
  await countWrongKeys(accounts, client, async () => {
    const wanted = { hash: hashMailedKey(ticket), device: client.device, purpose: "code" } as const;
    const found = await findTicket(database, wanted, clock.now());
    const user = found && (await findUser(database, found.user_id));
    if (!user) throw new Failure("second-step-expired");
    await countMail(accounts, user.email, client);
    await database.transaction().execute(async (db) => {
      await mails.sendFactorLoss(db, user);
      await securityLog.record(db, "second-factor-loss-asked", user.id, client);
    });
  });
  outbox.notify();
}

/**
 * Lets the second factor end after {@link LOSS_WAIT_HOURS}, by the mailed key, and mails a key that stops it.
 * @returns when it ends, Unix time in ms
 * @throws Failure `bad-link`, `second-factor-off`, `too-many-requests`
 */
export async function beginLoss(accounts: AccountContext, key: string, client: Client): Promise<number> {
  const { clock, mails, securityLog } = accounts;
  return spendKey(accounts, { key, purpose: "lose-factor", client }, async (db, user) => {
    if (!(await findTotpFactor(db, user.id))) throw new Failure("second-factor-off");
    const endsAt = await insertLoss(db, user.id, clock.now() + LOSS_WAIT_HOURS * HOUR);
    await securityLog.record(db, "second-factor-loss-begun", user.id, client);
    await mails.sendFactorEnds(db, user, client);
    return endsAt;
  });
}

/** Stops the end of a second factor by the mailed key. @throws Failure `bad-link`, `too-many-requests` */
export async function stopLossByKey(accounts: AccountContext, key: string, client: Client): Promise<void> {
  await spendKey(accounts, { key, purpose: "keep-factor", client }, (db, user) => stopLoss(accounts, db, user, client));
}

/** Stops the end of the signed-in account's second factor; a session suffices, because it protects the account. */
export async function stopLossAs(accounts: AccountContext, { identity, client }: Changer): Promise<void> {
  await changeAs(accounts, identity, "session", ({ db, user }) => stopLoss(accounts, db, user, client));
}

/** Stops the end of a second factor, in the caller's transaction, if it was to end. */
export async function stopLoss(
  { securityLog }: Pick<AccountContext, "securityLog">,
  db: Queryable,
  { id }: Pick<UserRow, "id">,
  client: Client,
): Promise<void> {
  await endEmailKeys(db, id, ["lose-factor", "keep-factor"]);
  if (await deleteLoss(db, id)) await securityLog.record(db, "second-factor-loss-stopped", id, client);
}

/** Removes the second factor if the wait after its loss is over, in the transaction of the sign-in. */
export async function endLostFactor(
  { clock, mails, securityLog }: AccountContext,
  db: Queryable,
  user: UserRow,
  client: Client,
): Promise<boolean> {
  const endsAt = await findLoss(db, user.id);
  if (endsAt === undefined || endsAt > clock.now()) return false;
  await removeSecondFactor(db, user.id);
  await securityLog.record(db, "second-factor-lost", user.id, client);
  await mails.sendNotice(db, user, "second-factor-off", client);
  return true;
}

type SpentKey = { key: string; purpose: KeyPurpose; client: Client };

async function spendKey<T>(
  accounts: AccountContext,
  { key, purpose, client }: SpentKey,
  work: (db: Queryable, user: UserRow) => Promise<T>,
): Promise<T> {
  const { clock, database, outbox } = accounts;
  const result = await countWrongKeys(accounts, client, () =>
    database.transaction().execute(async (db) => {
      const taken = await takeEmailKey(db, [purpose], hashMailedKey(key), clock.now());
      const user = taken && (await holdUser(db, taken.user_id));
      if (!user) throw new Failure("bad-link");
      return work(db, user);
    }),
  );
  outbox.notify();
  return result;
}
