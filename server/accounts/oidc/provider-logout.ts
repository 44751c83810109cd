import type { AccountContext } from "../accounts.ts";
import { findProviderSession } from "../sessions/provider-session-store.ts";
import type { OidcProvider } from "../sso/identity-providers.ts";
import { idTokenContext } from "../sso/sign-in-by-identity.ts";

/**
 * Returns where a browser ends the provider's session too (OpenID Connect RP-Initiated Logout 1.0), for a session that is
 * about to end here; undefined for one that no such provider began.
 */
export async function findProviderLogout(
  { cipher, config, database, identityProviders, oidc }: AccountContext,
  sessionId: string,
): Promise<string | undefined> {
  const begun = await findProviderSession(database, sessionId);
  if (!begun) return undefined;
  const { issuer, id_token_encrypted: encrypted } = begun;
  const provider = (await identityProviders.list(database)).find((one) => one.issuer === issuer && one.kind === "oidc");
  if (!provider) return undefined;
  const idToken = encrypted === null ? undefined : cipher.decrypt(encrypted, idTokenContext(issuer))?.text;
  return oidc.client.logoutUrl(provider as OidcProvider, { idToken, returnTo: `${config.publicUrl}/login` });
}
