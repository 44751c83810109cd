import type { SignedIn } from "#contract/accounts/accounts.ts";
import { MINUTE } from "#contract/limits.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { AccountContext, Accounts } from "../accounts.ts";
import { toUser } from "../to-user.ts";
import type { AccessClaims } from "./access-tokens.ts";
import { rememberDeviceOf } from "./device-store.ts";
import { recordSignIn } from "./last-sign-in-store.ts";
import { removeCrowdedOutSessions } from "./session-store.ts";
import type { NewSession } from "./sessions.ts";

/** A completed sign-in, from which its answer is made. */
export type FreshSession = {
  user: UserRow;
  session: AccessClaims;
  isKept: boolean;
  /** Signed in by a mailed key in another browser than the one that registered or entered the password. */
  isOtherBrowser: boolean;
  /** A restore brought the second factor back since its last use. */
  isRestored?: boolean;
  /** Ids of earlier sessions over the maximum, of which listeners are notified after the commit. */
  ended: readonly string[];
};

/**
 * Begins a session, in the transaction of the sign-in; only for verified accounts. Mails the owner about a device that
 * the account does not know, except about the first one, by which it was verified. Cancels a scheduled deletion.
 * @throws Failure `wrong-credentials` if the deletion is due; `account-disabled`, which only a client with valid
 * credentials receives
 */
export async function beginSession(
  { clock, deletions, mails, securityLog, sessions }: AccountContext,
  db: Queryable,
  account: UserRow,
  how: NewSession,
): Promise<FreshSession> {
  const { client } = how;
  if (account.disabled_at !== null) throw new Failure("account-disabled");
  const user = await deletions.cancel(db, account, client);
  await securityLog.record(db, "signed-in", user.id, client);
  const acquaintance = await rememberDeviceOf(db, user.id, client, clock.now());
  // An account without known devices may have been idle for long: then its owner must be notified above all.
  const isVeryFirst = acquaintance === "first" && clock.now() - (user.verified_at ?? 0) < MINUTE;
  if (acquaintance !== "known" && !isVeryFirst) await mails.sendNotice(db, user, "new-device", client);
  const { method } = how;
  if (method === "password" || method === "google") await recordSignIn(db, user.id, method, clock.now());
  const isKept = account.delete_at !== null;
  const session = await sessions.start(db, user, how);
  const isOtherBrowser = method === "mail-elsewhere";
  return {
    user,
    isKept,
    isOtherBrowser,
    session,
    ended: await removeCrowdedOutSessions(db, user.id, client.device === null),
  };
}

/** Returns the answer to a sign-in of any kind. */
export async function toSignedIn({ sessions }: Accounts, fresh: FreshSession): Promise<SignedIn> {
  const { user, session, isKept, isOtherBrowser, isRestored } = fresh;
  const access_token = await sessions.tokenFor(session);
  return {
    access_token,
    user: toUser(user),
    emailVerified: true,
    ...(isKept && { isKept }),
    ...(isOtherBrowser && { isOtherBrowser }),
    ...(isRestored && { isRestored }),
  };
}
