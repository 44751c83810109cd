import type { SignInAnswer } from "#contract/accounts/accounts.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { AccountContext } from "../accounts.ts";
import { beginSession, type FreshSession } from "./begin-session.ts";
import type { NewSession } from "./sessions.ts";

/** A session, or the demand for a further proof, which the client sends with the ticket. */
export type FinishedSignIn = { session: FreshSession } | Extract<SignInAnswer, { ticket: string }>;

/**
 * The only place where the server begins a session: a password, a Google token or a mailed key has been accepted, in this
 * transaction. A second factor would be demanded here: its callers already handle a ticket instead of a session.
 * @throws Failure as {@link beginSession}
 */
export async function finishSignIn(
  accounts: AccountContext,
  db: Queryable,
  account: UserRow,
  how: NewSession,
): Promise<FinishedSignIn> {
  return { session: await beginSession(accounts, db, account, how) };
}
