import type { SsoAnswer, SsoAttempt, SsoPurpose } from "#contract/accounts/single-sign-on.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { AccountContext } from "../accounts.ts";
import { hashOf, insertUsedNonce } from "../sessions/nonce-store.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import type { OidcProvider } from "../sso/identity-providers.ts";
import { ATTEMPT_LIFE_MS } from "./oidc-attempts.ts";

type OidcDeps = Pick<AccountContext, "clock" | "config" | "database" | "identityProviders" | "limits" | "oidc">;

/** `sessionId`: that connects or proves; absent for a sign-in. `cookie`: with the attempts of the browser. */
export type OidcBrowser = { client: Client; sessionId?: string; cookie: string | undefined };

/** Returns a provider with OpenID Connect. @throws Failure `not-found` */
export async function requireOidcProvider(
  { identityProviders }: Pick<OidcDeps, "identityProviders">,
  db: Queryable,
  slug: string,
): Promise<OidcProvider> {
  const provider = await identityProviders.find(db, slug);
  if (provider?.kind !== "oidc") throw new Failure("not-found");
  return provider as OidcProvider;
}

/** Address of ours that the provider returns to; one for each provider, so that none can answer for another. */
const redirectUriOf = ({ config }: Pick<OidcDeps, "config">, slug: string) => `${config.publicUrl}/sso/${slug}`;

/**
 * Begins an attempt of this browser. @returns where it goes, and its cookie
 * @throws Failure `not-found`, `sso-unavailable`, `too-many-requests`
 */
export async function beginOidc(
  deps: OidcDeps,
  { provider: slug, purpose }: { provider: string; purpose: SsoPurpose },
  { client, sessionId = "", cookie: present }: OidcBrowser,
): Promise<{ attempt: SsoAttempt; cookie: string }> {
  const { clock, database, oidc } = deps;
  await deps.limits.takeOfNetwork("sso-attempt", client);
  const provider = await requireOidcProvider(deps, database, slug);
  const { attempt, cookie } = oidc.attempts.begin({ provider: slug, purpose, sessionId }, present, clock.now());
  const url = await oidc.client.authorizationUrl(provider, {
    state: attempt.state,
    ...oidc.attempts.secretsOf(attempt),
    redirectUri: redirectUriOf(deps, slug),
    isProof: purpose === "prove",
  });
  return { attempt: { url, state: attempt.state }, cookie };
}

/**
 * Confirms a person by the provider's answer to an attempt that this browser began for this purpose. An answer is valid
 * once.
 * @throws Failure `bad-sso-answer`, `sso-unavailable`, `not-found`, `too-many-requests`
 */
export async function confirmByOidc(
  deps: OidcDeps,
  { answer, purpose }: { answer: SsoAnswer; purpose: SsoPurpose },
  { client, sessionId = "", cookie }: OidcBrowser,
): Promise<{ provider: OidcProvider; identity: ConfirmedIdentity }> {
  const { clock, database, oidc } = deps;
  return deps.limits.countWrong({ name: "sso", client, codes: ["bad-sso-answer"] }, async () => {
    const attempt = oidc.attempts.find(answer.state, cookie, clock.now());
    const isOwn =
      attempt?.provider === answer.provider && attempt.purpose === purpose && attempt.sessionId === sessionId;
    if (!attempt || !isOwn) throw new Failure("bad-sso-answer");
    const provider = await requireOidcProvider(deps, database, answer.provider);
    const isFirst = await insertUsedNonce(database, hashOf(`sso ${answer.state}`), clock.now() + ATTEMPT_LIFE_MS);
    if (!isFirst) throw new Failure("bad-sso-answer");
    const identity = await oidc.client.redeem(provider, answer, {
      state: attempt.state,
      ...oidc.attempts.secretsOf(attempt),
      redirectUri: redirectUriOf(deps, provider.slug),
      isProof: purpose === "prove",
    });
    return { provider, identity };
  });
}
