import type { OAuthClientMetadata } from "@modelcontextprotocol/client";
import { API_BASE } from "#contract/http.ts";
import { TOOL_RETURN_PATH } from "#contract/mcp/return-path.ts";
import { type OauthClientDocument, toolSignInPaths } from "#contract/mcp/sign-ins.ts";
import type { OauthIdentity } from "./oauth-flow.ts";

/** `publicUrl`: without a slash at its end. */
export type OauthSettings = { publicUrl: string; productName: string };

/** Returns the address to which authorisation servers send the browser. */
export const redirectUrlOf = ({ publicUrl }: Pick<OauthSettings, "publicUrl">): string => publicUrl + TOOL_RETURN_PATH;

const clientIdOf = ({ publicUrl }: OauthSettings) => publicUrl + API_BASE + toolSignInPaths.client;

function metadataOf(settings: OauthSettings) {
  const { publicUrl, productName } = settings;
  return {
    client_name: productName,
    client_uri: publicUrl,
    redirect_uris: [redirectUrlOf(settings)],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "web",
  } satisfies OAuthClientMetadata;
}

/** Returns the metadata document of this installation as a public client. */
export const clientDocumentOf = (settings: OauthSettings): OauthClientDocument => ({
  client_id: clientIdOf(settings),
  ...metadataOf(settings),
  token_endpoint_auth_method: "none",
});

/** Returns what this installation is, to authorisation servers. Without https, none of them would read its document. */
export function oauthIdentityOf(settings: OauthSettings): OauthIdentity {
  const hasDocument = settings.publicUrl.startsWith("https:");
  return {
    redirectUrl: redirectUrlOf(settings),
    metadata: metadataOf(settings),
    clientMetadataUrl: hasDocument ? clientIdOf(settings) : undefined,
  };
}
