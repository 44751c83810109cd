import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod/mini";
import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { holdUsers } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { findIdentity } from "../external-identity-store.ts";
import { hashOf, insertUsedNonce } from "../sessions/nonce-store.ts";
import { listSessionsOf, markProviderSessionEnded } from "../sessions/provider-session-store.ts";
import { deleteTickets } from "../sessions/ticket-store.ts";
import { endProviderSessions } from "../sso/end-provider-sessions.ts";
import type { OidcProvider } from "../sso/identity-providers.ts";
import { type Change, commitChange } from "../trust/change-as.ts";
import { requireOidcProvider } from "./confirm-by-oidc.ts";
import type { ProviderKeys } from "./oidc-client.ts";

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
  const codes = ["bad-sso-answer", "not-found"] as const;
  await accounts.limits.countWrong({ name: "sso", client, codes }, async () => {
    const provider = await requireOidcProvider(accounts, accounts.database, slug);
    const claims = readClaims(await verify(accounts, provider, logoutToken), accounts.clock.now());
    await commitChange(accounts, (change) => endSessions(accounts, change, { provider, claims, client }));
  });
}

type Logout = { provider: OidcProvider; claims: LogoutClaims; client: Client };

/** A sign-in that is under way when its provider's session ends begins no session: it reads the mark under the same lock. */
async function endSessions(
  accounts: AccountContext,
  change: Change,
  { provider: { issuer }, claims: { jti, sub: subject, sid }, client }: Logout,
): Promise<void> {
  const { db } = change;
  const expiresAt = accounts.clock.now() + DAY;
  if (!(await insertUsedNonce(db, hashOf(`logout ${issuer} ${jti}`), expiresAt))) throw new Failure("bad-sso-answer");
  const identity = subject === undefined ? undefined : await findIdentity(db, { issuer, subject });
  const ended = { issuer, subject, sid };
  const owners = (await listSessionsOf(db, ended)).map(({ user_id }) => user_id);
  const held = await holdUsers(db, [...owners, ...(identity ? [identity.user_id] : [])]);
  if (sid !== undefined) await markProviderSessionEnded(db, { issuer, sid }, expiresAt);
  // First steps that wait for a code are of the same session of the provider.
  for (const userId of held.keys()) await deleteTickets(db, userId);
  await endProviderSessions(accounts, change, { sessions: await listSessionsOf(db, ended), held, client });
}

const keySets = new WeakMap<ProviderKeys, JWTVerifyGetKey>();

/** Returns the key set of a provider, which is fetched once for many tokens, and seldom for tokens of unknown keys. */
function keySetOf(keys: ProviderKeys): JWTVerifyGetKey {
  const { url, request } = keys;
  const known = keySets.get(keys);
  if (known) return known;
  if (url === undefined) throw new Failure("sso-unavailable");
  const made = createRemoteJWKSet(new URL(url), { [customFetch]: (address, options) => request(address, options) });
  keySets.set(keys, made);
  return made;
}

async function verify(accounts: AccountContext, provider: OidcProvider, token: string): Promise<JWTPayload> {
  const keys = await accounts.oidc.client.keysOf(provider);
  try {
    const { payload } = await jwtVerify(token, keySetOf(keys), {
      // Never `none`, and never a symmetric one, whose key would be the published one.
      algorithms: keys.algorithms.filter((name) => /^(?:RS|PS|ES|Ed)/.test(name)),
      issuer: keys.issuer,
      audience: provider.clientId,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: new Date(accounts.clock.now()),
    });
    return payload;
  } catch (error) {
    throw error instanceof Failure ? error : new Failure("bad-sso-answer", { cause: error });
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
