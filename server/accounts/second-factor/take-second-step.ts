import type { PasskeyAssertion } from "#contract/accounts/passkeys.ts";
import type { SecondStepRequest } from "#contract/accounts/second-factor.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { findUser, holdUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { beginSession, type FreshSession } from "../sessions/begin-session.ts";
import { recordSignIn } from "../sessions/last-sign-in-store.ts";
import { findTicket, signInOf, takeTicket } from "../sessions/ticket-store.ts";
import { checkPasskey, spendPasskey } from "../webauthn/check-passkey.ts";
import { takeRestoredPasskey } from "../webauthn/passkey-store.ts";
import { checkCode, spendCode } from "./check-code.ts";
import { stopLoss } from "./lose-factor.ts";
import { rememberBrowser } from "./remembered-browser-store.ts";
import { takeRestored } from "./second-factor-store.ts";

/**
 * Completes a sign-in by a code or a passkey. The ticket stays valid after a wrong one.
 * @throws Failure `second-step-expired` if the ticket is unknown, expired, or another browser's; those of
 * {@link checkCode}, {@link checkPasskey} and {@link beginSession}
 */
export async function takeSecondStep(
  accounts: AccountContext,
  request: SecondStepRequest,
  client: Client,
): Promise<FreshSession> {
  return countWrongKeys(accounts, client, () => useTicket(accounts, request, client));
}

async function useTicket(
  accounts: AccountContext,
  { ticket: key, remember = false, ...shown }: SecondStepRequest,
  client: Client,
): Promise<FreshSession> {
  const { clock, database } = accounts;
  const hash = hashMailedKey(key);
  const ticket = await findTicket(database, { hash, device: client.device, purpose: "code" }, clock.now());
  const user = ticket && (await findUser(database, ticket.user_id));
  if (!ticket || !user) throw new Failure("second-step-expired");
  const spend = await check(accounts, shown, { user, client });
  return database.transaction().execute(async (db) => {
    const held = await holdUser(db, user.id);
    const now = clock.now();
    // What ends trust in the first step, such as a changed password, has removed the ticket.
    if (!held || !(await takeTicket(db, hash, now))) throw new Failure("second-step-expired");
    const isRestored = await spend(db, held, now);
    const fresh = await beginSession(accounts, db, held, signInOf(ticket, client));
    if (remember && client.device !== null) await rememberBrowser(db, held.id, client.device, now);
    return { ...fresh, isRestored };
  });
}

type Shown = { code: string } | { passkey: PasskeyAssertion };

/**
 * Accepts what was right, in the transaction of the sign-in. @returns whether a restore has brought the factor back since
 * its last use
 */
type Spend = (db: Queryable, user: UserRow, now: number) => Promise<boolean>;

/** @throws Failure `bad-passkey` too if the passkey is another account's */
async function check(
  accounts: AccountContext,
  shown: Shown,
  { user, client }: { user: UserRow; client: Client },
): Promise<Spend> {
  const { mails, securityLog } = accounts;
  if ("passkey" in shown) {
    const right = await checkPasskey(accounts, shown.passkey, client);
    if (right.user.id !== user.id) throw new Failure("bad-passkey");
    return async (db, _held, now) => {
      await spendPasskey(db, right, now);
      return takeRestoredPasskey(db, right.id);
    };
  }
  const right = await checkCode(accounts, { user, code: shown.code, client });
  return async (db, held, now) => {
    await spendCode(db, held.id, right, now);
    // The owner has not lost it after all.
    await stopLoss(accounts, db, held, client);
    if (right.kind === "recovery") {
      await recordSignIn(db, held.id, "recovery-code", now);
      await securityLog.record(db, "recovery-code-used", held.id, client);
      await mails.sendNotice(db, held, "recovery-code-used", client);
    }
    return takeRestored(db, held.id);
  };
}
