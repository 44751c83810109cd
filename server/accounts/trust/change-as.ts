import type { Clock } from "../../concurrency/clock.ts";
import type { Database, Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { type Identity, isProofFresh } from "../../http/session-hook.ts";
import type { Outbox } from "../../mail/outbox.ts";
import { holdUser, isToBeGone } from "../account-store.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** Who changes something about an account, in which session and from where. */
export type Changer = { identity: Pick<Identity, "userId" | "sessionId">; client: Client };

/** A change under way: its transaction, and the sessions that end with it. */
export type Change = { db: Queryable; ended: string[] };

/** {@link Change} of a signed-in account, as it is now; nobody else changes it before the end. */
export type OwnChange = Change & { user: UserRow };

type Deps = { clock: Clock; database: Database; outbox: Outbox; sessions: Sessions };

/** Changes an account, all or nothing; after the commit, sessions that it ended are told of and mails go out. */
export async function commitChange<T>(
  { database, outbox, sessions }: Pick<Deps, "database" | "outbox" | "sessions">,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const ended: string[] = [];
  const result = await database.transaction().execute((db) => work({ db, ended }));
  sessions.notifyEnded(ended);
  outbox.notify();
  return result;
}

/**
 * The one place where a session changes its account. What the request was let in by may be over by now: the account is
 * held first, as by everybody who ends sessions, and then its session and proof are looked at.
 * @param needs `session`: to be signed in; `proof`: to have proved to be the owner in the last ten minutes
 * @throws Failure `not-signed-in`, `proof-needed`
 */
export async function changeAs<T>(
  deps: Deps,
  { userId, sessionId }: Changer["identity"],
  needs: "session" | "proof",
  work: (change: OwnChange) => Promise<T>,
): Promise<T> {
  const { clock, sessions } = deps;
  return commitChange(deps, async ({ db, ended }) => {
    const user = await holdUser(db, userId);
    const session = await sessions.find(db, { userId, sessionId });
    if (!user || !session || isToBeGone(user, clock.now())) throw new Failure("not-signed-in");
    if (needs === "proof" && !isProofFresh(session.proved_at, clock.now())) throw new Failure("proof-needed");
    return work({ db, ended, user });
  });
}
