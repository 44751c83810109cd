import { sql } from "kysely";
import { MINUTE } from "#contract/limits.ts";
import type { SessionLives } from "../../config/accounts/session-lives.ts";
import { isOnSqlite } from "../../database/is-on-sqlite.ts";
import { prepared } from "../../database/prepared.ts";
import type { Queryable, SessionRow, UserRow } from "../../database/schema.ts";
import { lifeOf } from "./session-lives.ts";

/** Scanners of mails open links and run scripts: their sessions must not live for long. */
const IDLE_ELSEWHERE_MS = 10 * MINUTE;

/** Returns whether a session is valid, by the present settings and the present role of its account. */
export function isLive(session: SessionWithRole, lives: SessionLives, now: number): boolean {
  const { expires_at, created_at, last_seen_at, method, role } = session;
  const { maxMs, idleMs } = lifeOf(lives, role);
  const idle = method === "mail-elsewhere" ? IDLE_ELSEWHERE_MS : idleMs;
  return expires_at > now && created_at > now - maxMs && last_seen_at > now - idle;
}

/** Returns the sign-in method as people see it. */
export const shownMethod = (method: SessionRow["method"]) => (method === "mail-elsewhere" ? "mail" : method);

/** The same as {@link isLive} in SQL. */
function whereLive(lives: SessionLives, now: number) {
  const { others, administrators } = lives;
  const time = (ms: number) => sql`cast(${now - ms} as bigint)`;
  const isAdministrators = sql`exists (select 1 from users where users.id = sessions.user_id
    and users.role in ('administrator', 'owner'))`;
  const byRole = (which: "maxMs" | "idleMs") =>
    others[which] === administrators[which]
      ? time(others[which])
      : sql`case when ${isAdministrators} then ${time(administrators[which])} else ${time(others[which])} end`;
  return sql<boolean>`(expires_at > ${now} and created_at > ${byRole("maxMs")} and last_seen_at > case
    when method = 'mail-elsewhere' then ${time(IDLE_ELSEWHERE_MS)} else ${byRole("idleMs")} end)`;
}

export async function insertSession(db: Queryable, session: SessionRow): Promise<void> {
  await db.insertInto("sessions").values(session).execute();
}

const selectSession = prepared((db, { userId, sessionId }: { userId: string; sessionId: string }) =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .selectAll("sessions")
    .select(["users.role", "users.group_id"])
    .where("sessions.id", "=", sessionId)
    .where("user_id", "=", userId),
);

/** A session with the role and the group of its account. */
export type SessionWithRole = SessionRow & Pick<UserRow, "role" | "group_id">;

export async function findSession(
  db: Queryable,
  userId: string,
  sessionId: string,
): Promise<SessionWithRole | undefined> {
  const [row] = await selectSession(db, { userId, sessionId });
  return row;
}

export async function touchSession(
  db: Queryable,
  userId: string,
  sessionId: string,
  { now, ip }: { now: number; ip: string },
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ last_seen_at: now, ip })
    .where("id", "=", sessionId)
    .where("user_id", "=", userId)
    .execute();
}

/**
 * Stores the last use of an account. Skips an account that a transaction has locked: a request must not wait for a
 * long one, such as an import, and the next minute stores a newer time.
 */
export async function touchUser(db: Queryable, userId: string, now: number): Promise<void> {
  await db
    .updateTable("users")
    .set({ last_seen_at: now })
    .where("id", "in", (query) => {
      const unseen = query.selectFrom("users").select("id").where("id", "=", userId).where("last_seen_at", "<", now);
      return isOnSqlite(db) ? unseen : unseen.forNoKeyUpdate().skipLocked();
    })
    .execute();
}

export async function setProved(db: Queryable, userId: string, sessionId: string, now: number): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ proved_at: now })
    .where("id", "=", sessionId)
    .where("user_id", "=", userId)
    .execute();
}

/** `only`: id of one session; `except`: all but this one; `method`: only those begun by this sign-in method. */
export type SessionChoice = { only?: string; except?: string; method?: SessionRow["method"] };
export type EndedSession = Pick<SessionRow, "id" | "device">;

/** Deletes sessions of an account. */
export async function deleteSessions(
  db: Queryable,
  userId: string,
  { only, except, method }: SessionChoice,
): Promise<EndedSession[]> {
  let query = db.deleteFrom("sessions").where("user_id", "=", userId);
  if (only !== undefined) query = query.where("id", "=", only);
  if (except !== undefined) query = query.where("id", "!=", except);
  if (method !== undefined) query = query.where("method", "=", method);
  return query.returning(["id", "device"]).execute();
}

/** Lists the valid sessions of an account, by last use. */
export async function listSessions(
  db: Queryable,
  userId: string,
  lives: SessionLives,
  now: number,
): Promise<SessionRow[]> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where(whereLive(lives, now))
    .orderBy("last_seen_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Returns which of these sessions, of any account, are valid. */
export async function listLiveSessions(
  db: Queryable,
  ids: readonly string[],
  lives: SessionLives,
  now: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("sessions")
    .select("id")
    .where("id", "in", ids)
    .where(whereLive(lives, now))
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Maximum of sessions of an account in browsers, and in programs. Counted separately, so that programs sign no browser
 * out.
 */
const MAX_SESSIONS = 100;
/** SQLite requires a LIMIT for an OFFSET. */
export const FAR_TOO_MANY = 1_000_000;

/** Removes all but the last used sessions of an account, of one kind (browser or program). @returns their ids */
export async function removeCrowdedOutSessions(db: Queryable, userId: string, isProgram: boolean): Promise<string[]> {
  const rows = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "in", (query) =>
      query
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", userId)
        .where("device", isProgram ? "is" : "is not", null)
        .orderBy("last_seen_at", "desc")
        .orderBy("id", "desc")
        .limit(FAR_TOO_MANY)
        .offset(MAX_SESSIONS),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes sessions that are not valid any more. */
export async function removeLapsedSessions(db: Queryable, lives: SessionLives, now: number): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where(({ not }) => not(whereLive(lives, now)))
    .execute();
}
