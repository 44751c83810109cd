import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { type OauthClientBody, oauthClientBodySchema } from "./sign-in-bodies.ts";

/** Clients that are registered at authorisation servers. */
export interface OauthClients {
  /** Returns the client at an issuer; undefined if none is registered for this redirect address. */
  find(issuer: string): Promise<OauthClientBody | undefined>;
  save(issuer: string, client: OauthClientBody): Promise<void>;
}

type ProviderDeps = {
  clients: OauthClients;
  state: string;
  redirectUrl: string;
  metadata: OAuthClientMetadata;
  /** Absent: this installation has no metadata document that others can read. */
  clientMetadataUrl?: string | undefined;
  discovery: OAuthDiscoveryState;
};

/** Client of the SDK's flow up to the redirect of the browser. It has no tokens: each attempt asks the person. */
export class AttemptProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly #deps: ProviderDeps;
  #verifier = "";
  client: OauthClientBody | undefined;
  resource: string | undefined;
  address: URL | undefined;

  constructor(deps: ProviderDeps) {
    this.#deps = deps;
    this.redirectUrl = deps.redirectUrl;
    this.clientMetadata = deps.metadata;
    if (deps.clientMetadataUrl !== undefined) this.clientMetadataUrl = deps.clientMetadataUrl;
  }

  state(): string {
    return this.#deps.state;
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#deps.discovery;
  }

  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const issuer = context?.issuer;
    if (issuer === undefined) return undefined;
    this.client = await this.#deps.clients.find(issuer);
    return this.client && { ...this.client, issuer };
  }

  async saveClientInformation(
    information: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    const client = oauthClientBodySchema.parse(information);
    this.client = client;
    // The id by the metadata document is the same everywhere.
    if (context === undefined || client.client_id === this.clientMetadataUrl) return;
    await this.#deps.clients.save(context.issuer, { ...client, redirect_uris: [this.redirectUrl] });
  }

  tokens(): undefined {
    return undefined;
  }

  saveTokens(): void {
    throw new Error("An attempt receives no tokens");
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  redirectToAuthorization(address: URL): void {
    this.address = address;
  }
}
