import type { Queryable, UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { findUserByGoogleSubject, setGoogleSubject } from "../account-store.ts";
import type { AccountContext, Accounts } from "../accounts.ts";
import { forgetSignIn } from "../sessions/last-sign-in-store.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";
import { hasWayIn } from "../trust/ways-in.ts";
import { type PostedToken, readGoogleToken } from "./read-google-token.ts";

/**
 * Connects a Google account, of any address, to the signed-in account, for sign-in. Idempotent.
 * @throws Failure `google-taken`, `google-connected`, and those of {@link readGoogleToken}
 */
export async function connectGoogle(
  accounts: AccountContext,
  identity: Changer["identity"],
  token: PostedToken,
): Promise<void> {
  const { subject } = await readGoogleToken(accounts, token);
  const connect = changeAs(accounts, identity, "proof", async ({ db, user }) => {
    if (user.google_subject === subject) return;
    const other = await findUserByGoogleSubject(db, subject);
    if (other) throw new Failure("google-taken");
    if (!(await addGoogle(accounts, db, { user, subject, client: token.client }))) {
      throw new Failure("google-connected");
    }
  });
  await connect.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Failure("google-taken") : error;
  });
}

type Connection = { user: UserRow; subject: string; client: Client };

/** Connects an account, logs it and mails its owner; `false` if it has a Google account already. */
export async function addGoogle(
  { mails, securityLog }: Pick<Accounts, "mails" | "securityLog">,
  db: Queryable,
  { user, subject, client }: Connection,
): Promise<boolean> {
  if (!(await setGoogleSubject(db, user.id, subject))) return false;
  await forgetSignIn(db, user.id, "google");
  await securityLog.record(db, "google-connected", user.id, client);
  await mails.sendNotice(db, user, "google-connected", client);
  return true;
}

/**
 * Disconnects Google and ends the sessions that were begun by it, except the requesting one.
 * @throws Failure `last-sign-in` if nothing else is left to sign in
 */
export async function disconnectGoogle(accounts: AccountContext, { identity, client }: Changer): Promise<void> {
  await changeAs(accounts, identity, "proof", async (change) => {
    const { db, user } = change;
    if (user.google_subject === null) return;
    if (!(await hasWayIn(accounts, db, { ...user, google_subject: null }))) throw new Failure("last-sign-in");
    const { sessionId } = identity;
    await revokeTrust(accounts, change, "google-disconnected", { user, sessionId, client });
    await accounts.mails.sendNotice(db, user, "google-disconnected", client);
  });
}
