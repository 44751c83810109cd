import type { Configuration } from "openid-client";
import { HOUR, SECOND } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { Failure } from "../../failure.ts";
import type { Log } from "../../log.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import type { OidcProvider } from "../sso/identity-providers.ts";
import type { AttemptSecrets } from "./oidc-attempts.ts";
import { type OidcFetch, oidcFetchOf } from "./oidc-fetch.ts";
import { type Claims, readGroups, readPerson } from "./read-claims.ts";

/** How long metadata of a provider are cached. */
const METADATA_LIFE_MS = HOUR;
const CLOCK_SKEW_S = 60;
/** Of an authentication that is proof, when it comes back. */
const MAX_AGE_S = 60;

/** `redirectUri`: where the provider sends the browser. `isProof`: the person authenticates anew. */
export type AuthorizationRequest = AttemptSecrets & { state: string; redirectUri: string; isProof: boolean };

type OidcClientDeps = { outbound: Outbound; clock: Clock; log: Log };
type Known = { configuration: Configuration; keys: ProviderKeys; expiresAt: number; key: string };

/** `issuer`: as its tokens name it. `url`: absent if it publishes no keys. */
export type ProviderKeys = {
  issuer: string;
  url: string | undefined;
  request: OidcFetch;
  algorithms: readonly string[];
};

/** Relying party of OpenID Connect: the code flow with PKCE. Its library is loaded with the first attempt. */
export class OidcClient {
  readonly #deps: OidcClientDeps;
  readonly #known = new Map<string, Known>();

  constructor(deps: OidcClientDeps) {
    this.#deps = deps;
  }

  /** Returns the address at the provider where the person signs in. @throws Failure `sso-unavailable` */
  async authorizationUrl(provider: OidcProvider, request: AuthorizationRequest): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
    const configuration = await this.#configurationOf(provider);
    const { state, nonce, codeVerifier, redirectUri, isProof } = request;
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      ...(isProof && { max_age: "0", prompt: "login" }),
    });
    return url.href;
  }

  /**
   * Exchanges the code of an answer for the person who signed in, and checks the id token.
   * @throws Failure `bad-sso-answer`, `sso-unavailable`
   */
  async redeem(
    provider: OidcProvider,
    answer: { code: string; iss?: string | undefined },
    request: AuthorizationRequest,
  ): Promise<ConfirmedIdentity> {
    const { authorizationCodeGrant } = await import("openid-client");
    const configuration = await this.#configurationOf(provider);
    const { state, nonce, codeVerifier, redirectUri, isProof } = request;
    const url = new URL(redirectUri);
    url.searchParams.set("code", answer.code);
    url.searchParams.set("state", state);
    if (answer.iss !== undefined) url.searchParams.set("iss", answer.iss);
    try {
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
        ...(isProof && { maxAge: MAX_AGE_S }),
      });
      const claims = tokens.claims();
      if (!claims) throw new Failure("bad-sso-answer");
      const all = await this.#completeClaims(configuration, provider, claims, tokens.access_token);
      return toIdentity(provider, all, { idToken: tokens.id_token, now: this.#deps.clock.now() });
    } catch (error) {
      throw this.#toFailure(provider, error);
    }
  }

  /**
   * Returns the address at the provider that ends its session too; undefined if it offers none, or cannot be reached: the
   * sign-out here does not wait for it.
   */
  async logoutUrl(
    provider: OidcProvider,
    { idToken, returnTo }: { idToken: string | undefined; returnTo: string },
  ): Promise<string | undefined> {
    try {
      const { buildEndSessionUrl } = await import("openid-client");
      const configuration = await this.#configurationOf(provider);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      const url = buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      });
      return /^https?:$/.test(url.protocol) ? url.href : undefined;
    } catch (error) {
      this.#deps.log.warn({ provider: provider.slug, err: error }, "the identity provider's sign-out page is unknown");
      return undefined;
    }
  }

  /** Returns what checks tokens of a provider, the same object while its metadata are cached. @throws Failure `sso-unavailable` */
  async keysOf(provider: OidcProvider): Promise<ProviderKeys> {
    return (await this.#knownOf(provider)).keys;
  }

  /** Returns what the provider publishes about itself. @throws Failure `sso-unavailable` */
  async metadataOf(provider: OidcProvider): Promise<ReturnType<Configuration["serverMetadata"]>> {
    return (await this.#configurationOf(provider)).serverMetadata();
  }

  async #configurationOf(provider: OidcProvider): Promise<Configuration> {
    return (await this.#knownOf(provider)).configuration;
  }

  async #knownOf(provider: OidcProvider): Promise<Known> {
    const { issuerUrl: issuer, clientId, clientSecret } = provider;
    const key = JSON.stringify([clientId, clientSecret]);
    const known = this.#known.get(issuer);
    const now = this.#deps.clock.now();
    if (known && known.key === key && known.expiresAt > now) return known;
    const configuration = await this.#discover(provider);
    const keys = keysIn(configuration, oidcFetchOf(this.#deps.outbound, issuer));
    const made = { configuration, keys, key, expiresAt: now + METADATA_LIFE_MS };
    this.#known.set(issuer, made);
    return made;
  }

  async #discover(provider: OidcProvider): Promise<Configuration> {
    const { allowInsecureRequests, clockTolerance, customFetch, discovery, None } = await import("openid-client");
    const { issuerUrl: issuer, clientId, clientSecret } = provider;
    const metadata = {
      [clockTolerance]: CLOCK_SKEW_S,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    };
    try {
      return await discovery(new URL(issuer), clientId, metadata, clientSecret === undefined ? None() : undefined, {
        [customFetch]: oidcFetchOf(this.#deps.outbound, issuer),
        // A provider in the same network may have no certificate.
        ...(issuer.startsWith("http:") && { execute: [allowInsecureRequests] }),
      });
    } catch (error) {
      this.#deps.log.warn({ provider: provider.slug, err: error }, "the identity provider's metadata cannot be read");
      throw new Failure("sso-unavailable", { cause: error });
    }
  }

  /** Adds claims of the UserInfo endpoint, where the id token lacks the address, the name or the groups. */
  async #completeClaims(
    configuration: Configuration,
    provider: OidcProvider,
    claims: Claims & { sub: string },
    accessToken: string,
  ): Promise<Claims & { sub: string }> {
    const needsGroups = provider.groupRules.length + provider.roleRules.length > 0;
    const lacks =
      claims.email === undefined ||
      (claims.name === undefined && claims.given_name === undefined) ||
      (needsGroups && readGroups(claims, provider.groupsClaim) === undefined);
    if (!lacks || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const { fetchUserInfo } = await import("openid-client");
    // The signed token is stronger.
    return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
  }

  #toFailure(provider: OidcProvider, error: unknown): Failure {
    if (error instanceof Failure) return error;
    this.#deps.log.warn({ provider: provider.slug, err: error }, "an answer of the identity provider was refused");
    const isAway =
      error instanceof OutboundRefusal || (error instanceof Error && error.cause instanceof OutboundRefusal);
    return new Failure(isAway ? "sso-unavailable" : "bad-sso-answer", { cause: error });
  }
}

function keysIn(configuration: Configuration, request: OidcFetch): ProviderKeys {
  const { issuer, jwks_uri: url, id_token_signing_alg_values_supported: algorithms } = configuration.serverMetadata();
  return { issuer, url, request, algorithms: algorithms ?? ["RS256"] };
}

function toIdentity(
  { issuer, groupsClaim }: OidcProvider,
  claims: Claims & { sub: string },
  { idToken, now }: { idToken: string | undefined; now: number },
): ConfirmedIdentity {
  const { sid, auth_time: authTime } = claims;
  const groups = readGroups(claims, groupsClaim);
  return {
    issuer,
    subject: claims.sub,
    ...readPerson(claims),
    ...(groups && { groups }),
    // A session of the provider may be old: without its time, the sign-in proves nothing here.
    provedAt: typeof authTime === "number" && authTime * SECOND < now + CLOCK_SKEW_S * SECOND ? authTime * SECOND : 0,
    session: {
      ...(typeof sid === "string" && { sid }),
      ...(idToken !== undefined && { idToken }),
    },
  };
}
