import { MINUTE } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { SessionLives } from "../../config/accounts/session-lives.ts";
import { newId } from "../../database/new-id.ts";
import type { Database, Queryable, SessionRow, UserRow } from "../../database/schema.ts";
import type { ProviderSessionRow } from "../../database/tables/sso-tables.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { type Identity, PROOF_LIFE_MS } from "../../http/session-hook.ts";
import { type AccessClaims, AccessTokenReader, signAccessToken } from "./access-tokens.ts";
import { hasProviderSessionEnded, insertProviderSession } from "./provider-session-store.ts";
import { lifeOf } from "./session-lives.ts";
import {
  deleteSessions,
  type EndedSession,
  findSession,
  insertSession,
  isLive,
  listLiveSessions,
  listSessions,
  type SessionChoice,
  type SessionWithRole,
  setProved,
  touchSession,
  touchUser,
} from "./session-store.ts";

/** Precision of a session's last use, which saves a write for each request. */
const SEEN_STEP_MS = MINUTE;

/** What a session has of the identity provider that began it. */
export type ProviderSession = Pick<ProviderSessionRow, "issuer" | "subject" | "sid" | "id_token_encrypted"> & {
  /** Whether the person shows a second factor of this server too. */
  needsSecondFactor: boolean;
};

/** Client and method of a sign-in. `provedAt`: when the password was typed in this browser (Unix time in ms). */
export type NewSession = {
  client: Client;
  method: SessionRow["method"];
  provedAt?: number;
  provider?: ProviderSession;
};

type SessionIds = Pick<Identity, "userId" | "sessionId">;

export type SessionsDeps = { database: Database; clock: Clock; key: Uint8Array; lives: SessionLives };

/** Manages sessions: a row for each, and the access token that is bound to it. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #tokens: AccessTokenReader;
  readonly #endListeners: ((sessionId: string) => void)[] = [];

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#tokens = new AccessTokenReader(deps.key);
  }

  /**
   * Begins a session, in the caller's transaction if there is one; {@link tokenFor} then creates its token.
   * @throws Failure `bad-sso-answer` if the provider has ended its own session meanwhile
   */
  async start(
    db: Queryable,
    { id: userId, role }: Pick<UserRow, "id" | "role">,
    { client, method, provedAt, provider }: NewSession,
  ): Promise<AccessClaims> {
    const issuedAt = this.#deps.clock.now();
    const expiresAt = issuedAt + lifeOf(this.#deps.lives, role).maxMs;
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
      // A mailed link proves access to the mailbox, not ownership of the account.
      proved_at: provedAt ?? (method === "mail" || method === "mail-elsewhere" ? 0 : issuedAt),
    });
    if (provider) {
      const { issuer, subject, sid, id_token_encrypted } = provider;
      if (sid !== null && (await hasProviderSessionEnded(db, { issuer, sid }))) throw new Failure("bad-sso-answer");
      await insertProviderSession(db, { session_id: sessionId, issuer, subject, sid, id_token_encrypted });
    }
    await touchUser(db, userId, issuedAt);
    return { userId, sessionId, issuedAt, expiresAt };
  }

  tokenFor(session: AccessClaims): Promise<string> {
    return signAccessToken(this.#deps.key, session);
  }

  /** Returns account and session of a token while the session is valid; otherwise `null`. */
  async authenticate(token: string, client: Client): Promise<Identity | null> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const claims = await this.#tokens.read(token, now);
    if (!claims) return null;
    const { userId, sessionId } = claims;
    const session = await this.find(database, claims);
    if (!session) return null;
    if (session.last_seen_at + SEEN_STEP_MS <= now) {
      await touchSession(database, userId, sessionId, { now, ip: client.ip });
      await touchUser(database, userId, now);
    }
    return { userId, sessionId, provedAt: session.proved_at, role: session.role, groupId: session.group_id };
  }

  /** Returns a session of an account if it is valid. */
  async find(db: Queryable, { userId, sessionId }: SessionIds): Promise<SessionWithRole | undefined> {
    const now = this.#deps.clock.now();
    const session = await findSession(db, userId, sessionId);
    return session && isLive(session, this.#deps.lives, now) ? session : undefined;
  }

  /** Returns which of these sessions are valid. */
  async findLive(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { database, clock, lives } = this.#deps;
    return new Set(await listLiveSessions(database, ids, lives, clock.now()));
  }

  /** Lists the valid sessions of an account, by last use. */
  list(userId: string): Promise<SessionRow[]> {
    const { database, clock, lives } = this.#deps;
    return listSessions(database, userId, lives, clock.now());
  }

  /** Stores that the user has re-authenticated as the account's owner. @returns the expiry of the proof */
  async prove(db: Queryable, { userId, sessionId }: SessionIds): Promise<number> {
    const now = this.#deps.clock.now();
    await setProved(db, userId, sessionId, now);
    return now + PROOF_LIFE_MS;
  }

  /**
   * Ends all sessions of an account, or the selected ones, in the caller's transaction, which has locked the account.
   * Their tokens become invalid. Call {@link notifyEnded} with their ids after the commit.
   */
  removeAll(db: Queryable, userId: string, choice: SessionChoice = {}): Promise<EndedSession[]> {
    return deleteSessions(db, userId, choice);
  }

  /** Ends the open connections of ended sessions, here and on other servers. */
  notifyEnded(sessionIds: readonly string[]): void {
    for (const id of sessionIds) for (const listener of this.#endListeners) listener(id);
  }

  /** Registers a listener for ended sessions, which closes their open connections. */
  onEnded(listener: (sessionId: string) => void): void {
    this.#endListeners.push(listener);
  }
}
