import type { RecoveryCodes, SecondStepSetUp, TotpEnrolment } from "#contract/accounts/second-factor.ts";
import { HOUR } from "#contract/limits.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { SignInTicketRow } from "../../database/tables/second-factor-tables.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { findUser, holdUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { beginSession, type FreshSession } from "../sessions/begin-session.ts";
import { guardGuess } from "../sessions/guard-guess.ts";
import type { NewSession } from "../sessions/sessions.ts";
import { deleteTickets, findTicket, signInOf, takeTicket } from "../sessions/ticket-store.ts";
import { addTotpFactor, findFirstStep, newEnrolment, openEnrolment } from "./change-second-factor.ts";
import { issueTicket } from "./demand-code.ts";
import { hasSecondFactor, isSecondFactorRequired } from "./required-factor.ts";

/** Longer than for a code: the person may have to install an authenticator app first. */
const TICKET_LIFE_MS = HOUR;

/**
 * Returns a ticket for the set-up if the account lacks a second factor that is required, in the transaction of the sign-in.
 * @throws Failure `account-disabled`
 */
export async function demandSetUp(
  accounts: AccountContext,
  db: Queryable,
  account: UserRow,
  how: NewSession,
): Promise<string | null> {
  if (!(await isSecondFactorRequired(accounts, db, account))) return null;
  if (await hasSecondFactor(accounts, db, account.id)) return null;
  if (account.disabled_at !== null) throw new Failure("account-disabled");
  return issueTicket(accounts, db, { userId: account.id, purpose: "set-up", lifeMs: TICKET_LIFE_MS }, how);
}

/** The enrolment belongs to its ticket. */
const enrolmentContext = ({ hash }: SignInTicketRow) => `totp-enrolment:ticket:${hash}`;

/** Makes a secret for an authenticator app. Nothing is stored. @throws Failure `second-step-expired` */
export async function beginSetUp(accounts: AccountContext, key: string, client: Client): Promise<TotpEnrolment> {
  return countWrongKeys(accounts, client, async () => {
    const { ticket, user } = await findSetUp(accounts, key, client);
    return newEnrolment(accounts, user.username, enrolmentContext(ticket));
  });
}

/**
 * Switches the second factor on by a code, and completes the sign-in. The ticket stays valid after a wrong code.
 * @throws Failure `second-step-expired` if the ticket is unknown, expired, or another browser's, or if the account has a
 * second factor meanwhile; `enrolment-expired`, `wrong-code`; those of {@link guardGuess} and {@link beginSession}
 */
export async function completeSetUp(
  accounts: AccountContext,
  { ticket: key, enrolment, code }: SecondStepSetUp,
  client: Client,
): Promise<RecoveryCodes & { session: FreshSession }> {
  const { clock, database } = accounts;
  return countWrongKeys(accounts, client, async () => {
    const { ticket, user } = await findSetUp(accounts, key, client);
    const secret = openEnrolment(accounts, enrolment, enrolmentContext(ticket));
    // The client knows the secret: the limit is one on work, not on guesses.
    const guess = { user, name: user.username, client, isSignedIn: true, purpose: "code" } as const;
    const step = await guardGuess(accounts, guess, async () => findFirstStep(accounts, secret, code) ?? null);
    if (step === null) throw new Failure("wrong-code");
    return database.transaction().execute(async (db) => {
      const held = await holdUser(db, user.id);
      // What ends trust in the first step, such as a changed password, has removed the ticket.
      if (!held || !(await takeTicket(db, ticket.hash, clock.now()))) throw new Failure("second-step-expired");
      if (await hasSecondFactor(accounts, db, held.id)) throw new Failure("second-step-expired");
      const added = await addTotpFactor(accounts, db, { user: held, secret, step, client });
      if (!added) throw new Failure("second-step-expired");
      // Other sign-ins that wait must show a code from now on.
      await deleteTickets(db, held.id);
      const session = await beginSession(accounts, db, held, signInOf(ticket, client));
      return { ...added, session };
    });
  });
}

/** @throws Failure `second-step-expired` */
async function findSetUp(
  { clock, database }: AccountContext,
  key: string,
  { device }: Client,
): Promise<{ ticket: SignInTicketRow; user: UserRow }> {
  const wanted = { hash: hashMailedKey(key), device, purpose: "set-up" } as const;
  const ticket = await findTicket(database, wanted, clock.now());
  const user = ticket && (await findUser(database, ticket.user_id));
  if (!ticket || !user) throw new Failure("second-step-expired");
  return { ticket, user };
}
