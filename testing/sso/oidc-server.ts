import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider, { type Configuration } from "oidc-provider";
import { ProviderAdapter, type ProviderStore } from "./provider-adapter.ts";

export const OIDC_CLIENT = { id: "parley", secret: "a-client-secret-of-the-tests" };

/** Claims of a person; `sub` is the key by which tests refer to them. */
export type OidcPerson = { sub: string } & Record<string, unknown>;

type Site = {
  /** `PUBLIC_URL` of the relying party. */
  publicUrl: string;
  /** Where it listens, if that differs. */
  address?: string;
  /** Slug of the provider there. */
  slug?: string;
};

const KEY_ID = "key-of-the-tests";
const INTERACTION = "/interaction/";
const LOGOUT_BUTTON = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
const METADATA = "/.well-known/openid-configuration";

/** Claims in id tokens beside those of the scopes `email` and `profile`. */
const EXTRA_CLAIMS = ["sub", "groups", "roles", "realm_access", "_claim_names", "_claim_sources"];

/**
 * An identity provider: the certified `oidc-provider` over a real socket. Its pages sign {@link person} in without asking,
 * and count how often the person authenticated.
 */
export class OidcServer implements AsyncDisposable {
  readonly #people = new Map<string, OidcPerson>();
  readonly #server: Server;
  readonly #key: CryptoKey;
  #provider: Provider | undefined;
  /** The person at the browser; null: refuses to sign in. */
  person: OidcPerson | null = null;
  /** Number of authentications. */
  authentications = 0;
  /** Number of requests. */
  requests = 0;
  /** Members of the metadata that differ from the truth. */
  replacedMetadata: Readonly<Record<string, unknown>> = {};

  constructor(key: CryptoKey) {
    this.#key = key;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** For `OIDC_ISSUER`. */
  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Variables of a relying party. */
  get env(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      OIDC_NAME: "Example ID",
    };
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  /** Registers the relying party; needed before the first request. */
  async serve({ publicUrl, address = publicUrl, slug = "oidc" }: Site): Promise<void> {
    const jwk = { ...(await exportJWK(this.#key)), kid: KEY_ID, alg: "RS256", use: "sig" };
    const store: ProviderStore = new Map();
    const configuration: Configuration = {
      adapter: (model) => new ProviderAdapter(model, store),
      jwks: { keys: [jwk] },
      cookies: { keys: [randomBytes(16).toString("hex")] },
      clients: [
        {
          client_id: OIDC_CLIENT.id,
          client_secret: OIDC_CLIENT.secret,
          redirect_uris: [`${publicUrl}/sso/${slug}`],
          post_logout_redirect_uris: [`${publicUrl}/login`],
          backchannel_logout_uri: `${address}/api/auth/sso/logout/${slug}`,
          backchannel_logout_session_required: true,
        },
      ],
      claims: {
        openid: EXTRA_CLAIMS,
        email: ["email", "email_verified"],
        profile: ["name", "given_name", "family_name", "preferred_username"],
      },
      conformIdTokenClaims: false,
      // Without its dispatcher, which refuses this machine.
      fetch: (url, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, options),
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            context.body = `<!doctype html><title>Sign out</title>${form}${LOGOUT_BUTTON}`;
          },
        },
      },
      pkce: { required: () => true },
      interactions: { url: (_context, { uid }) => INTERACTION + uid },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: async () => ({ ...this.#people.get(sub), sub }),
      }),
      ttl: { Interaction: 600, Session: 3600, Grant: 3600, IdToken: 600, AccessToken: 600 },
    };
    this.#provider = new Provider(this.issuer, configuration);
  }

  /** Asks the relying party to end the sessions of a person, as the provider does when the person signs out of it. */
  async logOut(sub: string, sid: string): Promise<void> {
    const client = await this.#provider?.Client.find(OIDC_CLIENT.id);
    if (!client) throw new Error("serve() was not called");
    const { backchannelLogout } = client;
    if (typeof backchannelLogout === "function") await Reflect.apply(backchannelLogout, client, [sub, sid]);
  }

  /** Signs any token with the published key, as only this provider can. Claims that are `undefined` are left out. */
  sign(claims: JWTPayload, header: { alg?: string; typ?: string } = {}): Promise<string> {
    const seconds = Math.floor(Date.now() / 1000);
    const payload = { iss: this.issuer, aud: OIDC_CLIENT.id, iat: seconds, exp: seconds + 120, ...claims };
    const protectedHeader = { alg: "RS256", kid: KEY_ID, ...header };
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(this.#key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    const provider = this.#provider;
    if (!provider) throw new Error("serve() was not called");
    const replaced = Object.keys(this.replacedMetadata).length > 0;
    if (replaced && request.url === METADATA) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...(await this.#ownMetadata()), ...this.replacedMetadata }));
    } else if (request.url === "/favicon.ico") response.writeHead(204).end();
    else if (request.url?.startsWith(INTERACTION)) await this.#interact(provider, request, response);
    else await provider.callback()(request, response);
  }

  async #ownMetadata(): Promise<object> {
    const truth = this.replacedMetadata;
    this.replacedMetadata = {};
    const response = await fetch(this.issuer + METADATA);
    this.replacedMetadata = truth;
    return (await response.json()) as object;
  }

  async #interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    const { person } = this;
    if (!person) {
      await provider.interactionFinished(request, response, { error: "access_denied" });
      return;
    }
    this.#people.set(person.sub, person);
    if (prompt.name === "login") {
      this.authentications++;
      await provider.interactionFinished(request, response, { login: { accountId: person.sub } });
      return;
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? person.sub,
      clientId: String(params.client_id),
    });
    grant.addOIDCScope(String(params.scope));
    const grantId = await grant.save();
    await provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true });
  }
}

/** Starts a provider; call {@link OidcServer.serve} once the relying party's address is known. */
export async function startOidcServer(): Promise<OidcServer> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const server = new OidcServer(privateKey);
  await server.listen();
  return server;
}

/** The browser of a person at an identity provider: stores its cookies, and follows its redirects. */
export class OidcVisitor {
  readonly #cookies = new Map<string, string>();

  /** Opens an address of the provider. @returns the address at the relying party to which it sends the browser */
  async follow(address: string): Promise<URL> {
    const { origin } = new URL(address);
    let url = new URL(address);
    for (let redirects = 0; redirects < 20; redirects++) {
      const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
      const response = await fetch(url, { redirect: "manual", headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        this.#cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
      url = new URL(location, url);
      if (url.origin !== origin) return url;
    }
    throw new Error("The provider redirects without end");
  }
}
