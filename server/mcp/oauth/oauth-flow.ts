import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientMetadata,
  OAuthServerInfo,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { loadSdk } from "../client/sdk.ts";
import { AttemptProvider, type OauthClients } from "./attempt-provider.ts";
import { isConfidential } from "./oauth-fetch.ts";
import type { AttemptBody, TokensBody } from "./sign-in-bodies.ts";

/** Why people cannot sign in to a server, or an answer is refused. Its message contains no text of another server. */
export class OauthRefusal extends Error {
  override readonly name: string = "OauthRefusal";
}

/** A server names another authorisation server than the one that issued the tokens. */
export class IssuerChangedError extends OauthRefusal {
  override readonly name = "IssuerChangedError";
}

/** What this installation is, to authorisation servers. */
export type OauthIdentity = {
  redirectUrl: string;
  metadata: OAuthClientMetadata;
  clientMetadataUrl?: string | undefined;
};

type BeginDeps = OauthIdentity & { fetch: FetchLike; clients: OauthClients };

/** `challenge`: response with status 401 of the server. `scope`: wanted beside that of the challenge. */
type BegunAt = { serverUrl: string; state: string; challenge?: Response | undefined; scope?: string | undefined };

/** Begins a sign-in. @throws OauthRefusal; an error of the SDK or of `fetch` */
export async function beginFlow(
  { fetch: fetchFn, clients, redirectUrl, metadata: own, clientMetadataUrl }: BeginDeps,
  { serverUrl, state, challenge, scope }: BegunAt,
): Promise<{ address: string; body: AttemptBody }> {
  const { auth, computeScopeUnion } = await loadSdk();
  const { found, metadata, challengedScope } = await discover(fetchFn, serverUrl, challenge);
  const provider = new AttemptProvider({
    clients,
    state,
    redirectUrl,
    metadata: { ...own, ...authMethodFor(metadata) },
    clientMetadataUrl,
    discovery: { ...found, authorizationServerMetadata: metadata },
  });
  const wanted = computeScopeUnion(challengedScope, scope);
  await auth(provider, { serverUrl, fetchFn, ...(wanted !== undefined && { scope: wanted }) });
  const { address, client, resource } = provider;
  if (!address || !client) throw new OauthRefusal("the flow did not lead to an address");
  if (!isConfidential(address)) throw new OauthRefusal("the page for the sign-in has no https");
  const requested = address.searchParams.get("scope");
  return {
    address: address.href,
    body: {
      serverUrl,
      issuer: metadata.issuer,
      authorisationServer: found.authorizationServerUrl,
      ...(resource !== undefined && { resource }),
      client,
      verifier: provider.codeVerifier(),
      redirectUrl,
      metadata,
      ...(requested !== null && { scope: requested }),
    },
  };
}

type Discovered = {
  found: OAuthServerInfo;
  metadata: AuthorizationServerMetadata;
  challengedScope: string | undefined;
};

/** Finds the authorisation server of a server. @throws OauthRefusal unless its metadata allow this flow */
async function discover(fetchFn: FetchLike, serverUrl: string, challenge?: Response): Promise<Discovered> {
  const { discoverOAuthServerInfo, extractWWWAuthenticateParams } = await loadSdk();
  const { resourceMetadataUrl, scope } = challenge ? extractWWWAuthenticateParams(challenge) : {};
  const found = await discoverOAuthServerInfo(serverUrl, {
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  const metadata = found.authorizationServerMetadata;
  if (!metadata) throw new OauthRefusal("the authorisation server has no metadata");
  if (!metadata.code_challenge_methods_supported?.includes("S256")) {
    throw new OauthRefusal("the authorisation server does not support PKCE by S256");
  }
  return { found, metadata, challengedScope: scope };
}

/** Methods by which a client that registers authenticates, the strongest first. */
const AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"];

function authMethodFor({ token_endpoint_auth_methods_supported: supported }: AuthorizationServerMetadata) {
  const method = AUTH_METHODS.find((each) => supported?.includes(each));
  return method === undefined ? {} : { token_endpoint_auth_method: method };
}

/**
 * Exchanges the code of an answer for tokens, at the authorisation server of the attempt only.
 * @throws OauthRefusal; an error of the SDK, such as of a wrong `iss`, or of `fetch`
 */
export async function finishFlow(
  fetchFn: FetchLike,
  body: AttemptBody,
  { code, iss }: { code: string; iss?: string | undefined },
): Promise<TokensBody> {
  const { exchangeAuthorization } = await loadSdk();
  const { serverUrl, issuer, authorisationServer, resource, client, verifier, redirectUrl, metadata, scope } = body;
  // Not by `auth`, which sends a refused code again and writes to the console.
  const tokens = await exchangeAuthorization(authorisationServer, {
    metadata,
    clientInformation: client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier: verifier,
    redirectUri: redirectUrl,
    ...(resource !== undefined && { resource }),
    fetchFn,
  });
  const bound = { serverUrl, issuer, authorisationServer, client, ...(resource !== undefined && { resource }) };
  return toTokensBody(bound, tokens, scope);
}

/**
 * Refreshes tokens. The server must still name the authorisation server that issued them.
 * @throws IssuerChangedError; OauthRefusal; an error of the SDK or of `fetch`
 */
export async function refreshFlow(
  fetchFn: FetchLike,
  body: TokensBody,
  challenge: Response | undefined,
): Promise<TokensBody> {
  const { refreshAuthorization } = await loadSdk();
  const { serverUrl, issuer, authorisationServer, resource, client, refresh, scope, wantedScope } = body;
  if (refresh === undefined) throw new OauthRefusal("there is no refresh token");
  const { metadata } = await discover(fetchFn, serverUrl, challenge);
  if (metadata.issuer !== issuer) throw new IssuerChangedError("the server has another authorisation server");
  const tokens = await refreshAuthorization(authorisationServer, {
    metadata,
    clientInformation: client,
    refreshToken: refresh,
    ...(resource !== undefined && { resource }),
    fetchFn,
  });
  const bound = { serverUrl, issuer, authorisationServer, client, ...(resource !== undefined && { resource }) };
  return { ...toTokensBody(bound, tokens, scope), ...(wantedScope !== undefined && { wantedScope }) };
}

type Bound = Pick<TokensBody, "serverUrl" | "issuer" | "authorisationServer" | "resource" | "client">;

/** @param scope that was requested, which is granted unless the answer names another */
function toTokensBody(bound: Bound, tokens: OAuthTokens, scope: string | undefined): TokensBody {
  if (tokens.token_type.toLowerCase() !== "bearer") throw new OauthRefusal("the token is not a bearer token");
  const granted = tokens.scope ?? scope;
  return {
    ...bound,
    access: tokens.access_token,
    ...(tokens.refresh_token !== undefined && { refresh: tokens.refresh_token }),
    ...(granted !== undefined && { scope: granted }),
  };
}

/** Revokes tokens at their issuer (RFC 7009), if it can. @throws an error of the SDK or of `fetch` */
export async function revokeFlow(fetchFn: FetchLike, body: TokensBody): Promise<void> {
  const { discoverAuthorizationServerMetadata } = await loadSdk();
  const { issuer, authorisationServer, access, refresh } = body;
  const metadata = await discoverAuthorizationServerMetadata(authorisationServer, { fetchFn });
  const address = metadata && "revocation_endpoint" in metadata ? metadata.revocation_endpoint : undefined;
  if (metadata?.issuer !== issuer || typeof address !== "string") return;
  const revoked = [
    ...(refresh === undefined ? [] : [{ token: refresh, token_type_hint: "refresh_token" }]),
    { token: access, token_type_hint: "access_token" },
  ];
  for (const fields of revoked) {
    const { headers, parameters } = await authenticated(metadata, body);
    const form = new URLSearchParams({ ...fields, ...parameters });
    await fetchFn(address, { method: "POST", headers, body: form });
  }
}

const FORM = "application/x-www-form-urlencoded";

/** Returns what authenticates this client at an endpoint beside that for tokens, by the same method. */
async function authenticated(metadata: AuthorizationServerMetadata, { client }: TokensBody) {
  const { selectClientAuthMethod } = await loadSdk();
  const { client_id, client_secret } = client;
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []);
  if (client_secret === undefined || method === "none") {
    return { headers: { "content-type": FORM }, parameters: { client_id } };
  }
  if (method === "client_secret_post") {
    return { headers: { "content-type": FORM }, parameters: { client_id, client_secret } };
  }
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
  return { headers: { "content-type": FORM, authorization: `Basic ${credentials}` }, parameters: {} };
}
