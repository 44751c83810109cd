import { MINUTE } from "#contract/limits.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Accounts } from "../accounts.ts";
import { toUser } from "../to-user.ts";
import type { AccessClaims } from "./access-tokens.ts";
import { rememberDeviceOf } from "./device-store.ts";
import { removeCrowdedOutSessions } from "./session-store.ts";
import type { NewSession } from "./sessions.ts";

/** A sign-in that is just done: what its answer is made from. */
export type FreshSession = {
  user: UserRow;
  session: AccessClaims;
  isKept: boolean;
  isOtherBrowser?: boolean;
  /** Ids of earlier ones that it crowded out, to be told of after the commit. */
  ended: readonly string[];
};

/**
 * Begins a session for an account, in the transaction of its sign-in; only verified ones have any. Its owner is told by
 * mail where it is from a device that the account does not know; not of its very first, with which it was verified. An
 * account that was to be deleted is kept.
 * @throws Failure `wrong-credentials` where its time is over; `account-disabled`, of which only who could sign in hears
 */
export async function beginSession(
  { clock, deletions, mails, securityLog, sessions }: Accounts,
  db: Queryable,
  account: UserRow,
  how: NewSession,
): Promise<FreshSession> {
  const { client } = how;
  if (account.disabled_at !== null) throw new Failure("account-disabled");
  const user = await deletions.cancel(db, account, client);
  await securityLog.record(db, "signed-in", user.id, client);
  const acquaintance = await rememberDeviceOf(db, user.id, client, clock.now());
  // One that knows none any more may have lain idle for long: then above all its owner is to hear of it.
  const isVeryFirst = acquaintance === "first" && clock.now() - (user.verified_at ?? 0) < MINUTE;
  if (acquaintance !== "known" && !isVeryFirst) await mails.sendNotice(db, user, "new-device", client);
  const isKept = account.delete_at !== null;
  const session = await sessions.start(db, user.id, how);
  return { user, isKept, session, ended: await removeCrowdedOutSessions(db, user.id, client.device === null) };
}

/** The answer to a sign-in of any kind. */
export async function toSignedIn({ sessions }: Accounts, { user, session, isKept, isOtherBrowser }: FreshSession) {
  const access_token = await sessions.tokenFor(session);
  return {
    access_token,
    user: toUser(user),
    emailVerified: true,
    ...(isKept && { isKept }),
    ...(isOtherBrowser && { isOtherBrowser }),
  };
}
