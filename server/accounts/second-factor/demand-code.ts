import { randomBytes } from "node:crypto";
import { MINUTE } from "#contract/limits.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { TicketPurpose } from "../../database/tables/second-factor-tables.ts";
import { Failure } from "../../failure.ts";
import type { AccountContext } from "../accounts.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import type { NewSession } from "../sessions/sessions.ts";
import { insertTicket } from "../sessions/ticket-store.ts";
import { hasPasskey } from "../webauthn/has-passkey.ts";
import { endLostFactor } from "./lose-factor.ts";
import { isRemembered } from "./remembered-browser-store.ts";
import { isSecondFactorRequired } from "./required-factor.ts";
import { findTotpFactor } from "./second-factor-store.ts";

const TICKET_LIFE_MS = 5 * MINUTE;
/** 256 bits. */
const TICKET_BYTES = 32;

/**
 * Returns a ticket if the account has a second factor that this browser must show, in the transaction of the sign-in; null
 * if the sign-in is complete.
 * @throws Failure `account-disabled`
 */
export async function demandCode(
  accounts: AccountContext,
  db: Queryable,
  account: UserRow,
  how: NewSession,
): Promise<string | null> {
  const hasCodes = (await findTotpFactor(db, account.id)) !== undefined;
  if (!hasCodes && !(await mustShowPasskey(accounts, db, account))) return null;
  if (account.disabled_at !== null) throw new Failure("account-disabled");
  if (await endLostFactor(accounts, db, account, how.client)) return null;
  const { device } = how.client;
  if (device !== null && (await isRemembered(db, account.id, device, accounts.clock.now()))) return null;
  return issueTicket(accounts, db, { userId: account.id, purpose: "code", lifeMs: TICKET_LIFE_MS }, how);
}

type Ticket = { userId: string; purpose: TicketPurpose; lifeMs: number };

/** Stores and returns a ticket for the browser of a first step. */
export async function issueTicket(
  { clock }: Pick<AccountContext, "clock">,
  db: Queryable,
  { userId, purpose, lifeMs }: Ticket,
  { client, method, provedAt, provider }: NewSession,
): Promise<string> {
  const ticket = randomBytes(TICKET_BYTES).toString("base64url");
  await insertTicket(db, {
    hash: hashMailedKey(ticket),
    user_id: userId,
    purpose,
    method,
    device: client.device,
    proved_at: provedAt ?? null,
    provider_session: provider ? JSON.stringify(provider) : null,
    expires_at: clock.now() + lifeMs,
  });
  return ticket;
}

/** Passkeys are a second factor of the password only where one is required and the account has no codes. */
async function mustShowPasskey(accounts: AccountContext, db: Queryable, account: UserRow): Promise<boolean> {
  return (await isSecondFactorRequired(accounts, db, account)) && (await hasPasskey(accounts, db, account.id));
}
