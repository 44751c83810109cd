import type { Queryable, UserRow } from "../../database/schema.ts";
import type { AccountContext } from "../accounts.ts";
import { beginSession, type FreshSession } from "../sessions/begin-session.ts";
import type { NewSession } from "../sessions/sessions.ts";
import { demandCode } from "./demand-code.ts";

/** A session, or the demand for a second step, which the client sends with the ticket. */
export type FinishedSignIn = { session: FreshSession } | { ticket: string };

/**
 * The only place where the first step of a sign-in ends: a password, a Google token, a mailed key or a passkey has been
 * accepted, in this transaction. Begins a session, unless the account has a second factor that this browser must show. A
 * passkey counts as both: its authenticator has verified the person.
 * @throws Failure as {@link beginSession}
 */
export async function finishSignIn(
  accounts: AccountContext,
  db: Queryable,
  account: UserRow,
  how: NewSession,
): Promise<FinishedSignIn> {
  const ticket = how.method === "passkey" ? null : await demandCode(accounts, db, account, how);
  return ticket === null ? { session: await beginSession(accounts, db, account, how) } : { ticket };
}
