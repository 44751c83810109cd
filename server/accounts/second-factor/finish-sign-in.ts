import type { Queryable, UserRow } from "../../database/schema.ts";
import type { AccountContext } from "../accounts.ts";
import { beginSession, type FreshSession } from "../sessions/begin-session.ts";
import type { NewSession } from "../sessions/sessions.ts";
import { demandCode } from "./demand-code.ts";
import { demandSetUp } from "./set-up-at-sign-in.ts";

/** A session, or the demand for a second step or for a second factor, which the client sends with the ticket. */
export type FinishedSignIn =
  | { session: FreshSession }
  | { demand: "second-factor-needed" | "second-factor-missing"; ticket: string };

/**
 * The only place where the first step of a sign-in ends: a password, a Google token, a mailed key or a passkey has been
 * accepted, in this transaction. Begins a session, unless the account has a second factor that this browser must show, or
 * lacks one that is required. A passkey counts as both: its authenticator has verified the person. An identity provider
 * asks for its own factors, unless the owner wants those of this server too.
 * @throws Failure as {@link beginSession}
 */
export async function finishSignIn(
  accounts: AccountContext,
  db: Queryable,
  account: UserRow,
  how: NewSession,
): Promise<FinishedSignIn> {
  if (how.method === "passkey" || how.provider?.needsSecondFactor === false)
    return { session: await beginSession(accounts, db, account, how) };
  const forCode = await demandCode(accounts, db, account, how);
  if (forCode !== null) return { demand: "second-factor-needed", ticket: forCode };
  const forSetUp = await demandSetUp(accounts, db, account, how);
  if (forSetUp !== null) return { demand: "second-factor-missing", ticket: forSetUp };
  return { session: await beginSession(accounts, db, account, how) };
}
