import type { Queryable } from "../../database/schema.ts";
import type { ProviderSessionRow } from "../../database/tables/sso-tables.ts";
import { hashOf, insertUsedNonce, isUsedNonce } from "./nonce-store.ts";

export async function insertProviderSession(db: Queryable, row: ProviderSessionRow): Promise<void> {
  await db.insertInto("provider_sessions").values(row).execute();
}

export async function findProviderSession(db: Queryable, sessionId: string): Promise<ProviderSessionRow | undefined> {
  return db.selectFrom("provider_sessions").selectAll().where("session_id", "=", sessionId).executeTakeFirst();
}

/** The sessions of one provider session (`sid`), of all of a person (`subject`), or of both together. */
export type ProviderSessionKey = { issuer: string; subject?: string | undefined; sid?: string | undefined };

/** Lists the sessions that a provider began, with their accounts. */
export async function listSessionsOf(
  db: Queryable,
  { issuer, subject, sid }: ProviderSessionKey,
): Promise<{ id: string; user_id: string }[]> {
  let query = db
    .selectFrom("provider_sessions")
    .innerJoin("sessions", "sessions.id", "provider_sessions.session_id")
    .select(["sessions.id", "sessions.user_id"])
    .where("provider_sessions.issuer", "=", issuer);
  if (subject !== undefined) query = query.where("provider_sessions.subject", "=", subject);
  if (sid !== undefined) query = query.where("provider_sessions.sid", "=", sid);
  return query.execute();
}

type EndedSession = { issuer: string; sid: string };

const markOf = ({ issuer, sid }: EndedSession) => hashOf(`ended session ${issuer} ${sid}`);

/** Stores that a session of a provider has ended there: no session begins by it any more. */
export async function markProviderSessionEnded(db: Queryable, ended: EndedSession, expiresAt: number): Promise<void> {
  await insertUsedNonce(db, markOf(ended), expiresAt);
}

export async function hasProviderSessionEnded(db: Queryable, session: EndedSession): Promise<boolean> {
  return isUsedNonce(db, markOf(session));
}
