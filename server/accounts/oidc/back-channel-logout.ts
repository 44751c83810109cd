import { createHash } from "node:crypto";
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from "jose";
import * as z from "zod/mini";
import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { holdUsers } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { insertUsedNonce } from "../sessions/nonce-store.ts";
import { listSessionsOf } from "../sessions/provider-session-store.ts";
import type { OidcProvider } from "../sso/identity-providers.ts";
import { commitChange } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";
import { requireOidcProvider } from "./confirm-by-oidc.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const ISSUED_BEFORE_MAX_MS = 10 * MINUTE;
const ISSUED_AHEAD_MAX_MS = MINUTE;
const CLOCK_TOLERANCE_S = 60;

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const logoutClaims = z.object({
  iat: z.number(),
  jti: z.string().check(z.minLength(1), z.maxLength(512)),
  sub: z.optional(z.string().check(z.minLength(1))),
  sid: z.optional(z.string().check(z.minLength(1))),
  events: z.object({ [EVENT]: z.looseObject({}) }),
  // A token with a nonce is an id token that is passed off as one.
  nonce: z.optional(z.undefined()),
});
type LogoutClaims = z.infer<typeof logoutClaims>;

/**
 * Ends the sessions that a provider began, at its request: of one of its sessions, or of a person. A token is valid once.
 * @throws Failure `bad-sso-answer`, `not-found`, `sso-unavailable`, `too-many-requests`
 */
export async function logOutByProvider(
  accounts: AccountContext,
  slug: string,
  { logoutToken, client }: { logoutToken: string; client: Client },
): Promise<void> {
  const { database, limits } = accounts;
  const codes = ["bad-sso-answer", "not-found"] as const;
  const ended = await limits.countWrong({ name: "sso", client, codes }, async () => {
    const provider = await requireOidcProvider(accounts, database, slug);
    const { sub: subject, sid } = await spendToken(accounts, provider, logoutToken);
    return { issuer: provider.issuer, subject, sid };
  });
  const sessions = await listSessionsOf(database, ended);
  if (sessions.length === 0) return;
  await commitChange(accounts, async (change) => {
    const held = await holdUsers(
      change.db,
      sessions.map(({ user_id }) => user_id),
    );
    for (const { id: sessionId, user_id: userId } of sessions) {
      const user = held.get(userId);
      if (!user) continue;
      const event = "signed-out-by-provider";
      const { hasLostSessions } = await revokeTrust(accounts, change, event, { user, sessionId, client });
      if (hasLostSessions) await accounts.securityLog.record(change.db, event, userId, client);
    }
  });
}

/** Validates a logout token and stores its id, so that a copy is refused. */
async function spendToken(accounts: AccountContext, provider: OidcProvider, token: string): Promise<LogoutClaims> {
  const { clock, database } = accounts;
  const claims = readClaims(await verify(accounts, provider, token), clock.now());
  const hash = createHash("sha256").update(`logout ${provider.issuer} ${claims.jti}`).digest("hex");
  if (!(await insertUsedNonce(database, hash, clock.now() + DAY))) throw new Failure("bad-sso-answer");
  return claims;
}

async function verify(accounts: AccountContext, provider: OidcProvider, token: string): Promise<JWTPayload> {
  const keys = await accounts.oidc.client.keysOf(provider);
  const keySet = createRemoteJWKSet(new URL(keys.url), { [customFetch]: (url, options) => keys.fetch(url, options) });
  try {
    const { payload } = await jwtVerify(token, keySet, {
      // Never `none`, and never a symmetric one, whose key would be the published one.
      algorithms: keys.algorithms.filter((name) => /^(?:RS|PS|ES|Ed)/.test(name)),
      issuer: provider.issuer,
      audience: provider.clientId,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(accounts.clock.now()),
    });
    return payload;
  } catch (error) {
    throw new Failure("bad-sso-answer", { cause: error });
  }
}

function readClaims(payload: JWTPayload, now: number): LogoutClaims {
  const { data } = logoutClaims.safeParse(payload);
  if (!data || (data.sub === undefined && data.sid === undefined)) throw new Failure("bad-sso-answer");
  const issuedAt = data.iat * SECOND;
  const isRecent = issuedAt > now - ISSUED_BEFORE_MAX_MS && issuedAt < now + ISSUED_AHEAD_MAX_MS;
  if (!isRecent) throw new Failure("bad-sso-answer");
  return data;
}
