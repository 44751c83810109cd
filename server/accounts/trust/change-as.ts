import { type AccountRole, hasRole } from "#contract/accounts/roles.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Database, Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { type Identity, isProofFresh } from "../../http/session-hook.ts";
import type { Outbox } from "../../mail/outbox.ts";
import { holdMembers, holdUsers, isToBeGone } from "../account-store.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** Session and client that change an account. */
export type Changer = { identity: Pick<Identity, "userId" | "sessionId">; client: Client };

/** A running change: its transaction, and the ids of the sessions that it ends. */
export type Change = { db: Queryable; ended: string[] };

/** {@link Change} of the signed-in account, whose row is locked until the end of the transaction. */
export type OwnChange = Change & { user: UserRow };

/** Dependencies of a change of an account. */
export type ChangeDeps = { clock: Clock; database: Database; outbox: Outbox; sessions: Sessions };

/** Changes an account in a transaction. After the commit, notifies listeners of ended sessions and sends mails. */
export async function commitChange<T>(
  { database, outbox, sessions }: Pick<ChangeDeps, "database" | "outbox" | "sessions">,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const ended: string[] = [];
  const result = await database.transaction().execute((db) => work({ db, ended }));
  sessions.notifyEnded(ended);
  outbox.notify();
  return result;
}

/**
 * The account of a session, and further accounts that its change locks: `others` by their ids, and the members of the
 * group `membersOf`.
 */
type Acting = Changer["identity"] & { others?: readonly string[]; membersOf?: string | undefined };

/**
 * The only place where a session changes its account. The request's session may have ended since it was authenticated:
 * the account is locked first, like in all code that ends sessions, then session and proof are checked again.
 * @param needs `session`: a valid session; `proof`: re-authentication in the last ten minutes
 * @throws Failure `not-signed-in`, `proof-needed`
 */
export async function changeAs<T>(
  deps: ChangeDeps,
  { userId, sessionId, others = [], membersOf }: Acting,
  needs: "session" | "proof",
  work: (change: OwnChange) => Promise<T>,
): Promise<T> {
  const { clock, sessions } = deps;
  return commitChange(deps, async ({ db, ended }) => {
    if (membersOf !== undefined) await holdMembers(db, membersOf, [userId, ...others]);
    const user = (await holdUsers(db, [userId, ...others])).get(userId);
    const session = await sessions.find(db, { userId, sessionId });
    if (!user || !session || isToBeGone(user, clock.now())) throw new Failure("not-signed-in");
    if (needs === "proof" && !isProofFresh(session.proved_at, clock.now())) throw new Failure("proof-needed");
    return work({ db, ended, user });
  });
}

/** Time of a change, and id of the account that makes it. */
type By = { at: number; actor: string };

/** {@link changeAs} for an account that still has at least this role. @throws also Failure `not-permitted` */
export function changeAsRole<T>(
  deps: ChangeDeps,
  acting: Acting,
  role: AccountRole,
  work: (change: OwnChange, by: By) => Promise<T>,
  needs: "session" | "proof" = "proof",
): Promise<T> {
  return changeAs(deps, acting, needs, async (change) => {
    if (!hasRole(change.user.role, role)) throw new Failure("not-permitted");
    return work(change, { at: deps.clock.now(), actor: change.user.id });
  });
}
