import { DAY, MINUTE } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { newId } from "../../database/new-id.ts";
import type { Database, Queryable, SessionRow } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { type Identity, PROOF_LIFE_MS } from "../../http/session-hook.ts";
import { type AccessClaims, AccessTokenReader, signAccessToken } from "./access-tokens.ts";
import {
  deleteSessions,
  type EndedSession,
  findSession,
  insertSession,
  listLiveSessions,
  listSessions,
  type SessionChoice,
  setProved,
  touchSession,
} from "./session-store.ts";

const LIFE_MS = 30 * DAY;
export const IDLE_MS = 7 * DAY;
/** How exactly a session's last use is known; what spares a write for each request. */
const SEEN_STEP_MS = MINUTE;

/** From where, and how, somebody signs in. */
export type NewSession = { client: Client; method: SessionRow["method"] };

type SessionIds = Pick<Identity, "userId" | "sessionId">;

export type SessionsDeps = { database: Database; clock: Clock; key: Uint8Array };

/** Sign-ins: a row for each, and the access token that is bound to it. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #tokens: AccessTokenReader;
  readonly #endListeners: ((sessionId: string) => void)[] = [];

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#tokens = new AccessTokenReader(deps.key);
  }

  /** Begins a session, in the caller's transaction where there is one; {@link tokenFor} then makes its token. */
  async start(db: Queryable, userId: string, { client, method }: NewSession): Promise<AccessClaims> {
    const issuedAt = this.#deps.clock.now();
    const expiresAt = issuedAt + LIFE_MS;
    const sessionId = newId();
    const times = { created_at: issuedAt, last_seen_at: issuedAt, expires_at: expiresAt };
    await insertSession(db, {
      id: sessionId,
      user_id: userId,
      ...times,
      device: client.device,
      user_agent: client.userAgent,
      ip: client.ip,
      method,
      // A mailed link tells who reads the mails, not who owns the account.
      proved_at: method === "mail" ? 0 : issuedAt,
    });
    return { userId, sessionId, issuedAt, expiresAt };
  }

  tokenFor(session: AccessClaims): Promise<string> {
    return signAccessToken(this.#deps.key, session);
  }

  /** Who a token stands for, as long as its session lives; `null` otherwise. */
  async authenticate(token: string, client: Client): Promise<Identity | null> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const claims = await this.#tokens.read(token, now);
    if (!claims) return null;
    const { userId, sessionId } = claims;
    const session = await this.find(database, claims);
    if (!session) return null;
    if (session.last_seen_at + SEEN_STEP_MS <= now)
      await touchSession(database, userId, sessionId, { now, ip: client.ip });
    return { userId, sessionId, provedAt: session.proved_at };
  }

  /** A session of an account, as long as it lives. */
  async find(db: Queryable, { userId, sessionId }: SessionIds): Promise<SessionRow | undefined> {
    const now = this.#deps.clock.now();
    const session = await findSession(db, userId, sessionId);
    return session && session.expires_at > now && session.last_seen_at + IDLE_MS > now ? session : undefined;
  }

  /** Which of these sessions live. */
  async findLive(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    return new Set(await listLiveSessions(database, ids, now, now - IDLE_MS));
  }

  /** Those of an account that live, by last use. */
  list(userId: string): Promise<SessionRow[]> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    return listSessions(database, userId, now, now - IDLE_MS);
  }

  /** Its person has proved to be the account's owner. @returns until when that is good */
  async prove(db: Queryable, { userId, sessionId }: SessionIds): Promise<number> {
    const now = this.#deps.clock.now();
    await setProved(db, userId, sessionId, now);
    return now + PROOF_LIFE_MS;
  }

  /**
   * In the caller's transaction, which holds the account, ends all its sessions, or those chosen: their tokens are good
   * for nothing any more. {@link notifyEnded} is to be called with their ids after its commit.
   */
  removeAll(db: Queryable, userId: string, choice: SessionChoice = {}): Promise<EndedSession[]> {
    return deleteSessions(db, userId, choice);
  }

  /** Ends what ended sessions still have open, here and on other servers. */
  notifyEnded(sessionIds: readonly string[]): void {
    for (const id of sessionIds) for (const listener of this.#endListeners) listener(id);
  }

  /** Tells of sessions that were ended, so that what they still have open ends too. */
  onEnded(listener: (sessionId: string) => void): void {
    this.#endListeners.push(listener);
  }
}
