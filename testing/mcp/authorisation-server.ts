import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request to an endpoint that is not metadata. `fields`: of its form, its query or its JSON. */
type SeenRequest = { path: string; fields: Record<string, string>; authorization: string | undefined };

type Grant = { clientId: string; scope: string; resource: string | undefined };
type Code = Grant & { challenge: string; redirectUri: string };
type RegisteredClient = { secret: string | undefined; method: string };

/**
 * A scripted authorisation server (RFC 6749, 7009, 7591, 8414, 9207) over a real socket, whose person agrees at once. Its
 * refresh tokens rotate; one that comes again ends them all.
 */
export class AuthorisationServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #clients = new Map<string, RegisteredClient>();
  readonly #codes = new Map<string, Code>();
  readonly #refresh = new Map<string, Grant>();
  readonly #access = new Map<string, Grant>();
  readonly requests: SeenRequest[] = [];
  /** Members of the metadata that differ; undefined ones are left out. */
  replacedMetadata: Record<string, unknown> = {};
  /** `iss` of its answers to browsers; undefined: none. */
  iss: string | undefined;
  /** What the person answers. */
  consents = true;
  /** Where the token endpoint redirects to. */
  tokenRedirect: string | undefined;
  /** Before a refresh is answered. */
  onRefresh: () => Promise<void> = async () => undefined;
  /** Origin of another server that passes on the requests; undefined: of its own socket. */
  origin: string | undefined;

  constructor() {
    this.#server = createServer((request, response) => void this.handle(request, response));
  }

  get issuer(): string {
    if (this.origin !== undefined) return this.origin;
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    this.iss = this.issuer;
  }

  /** Returns the fields of requests to an endpoint. */
  seen(path: string): Record<string, string>[] {
    return this.requests.filter((request) => request.path === path).map(({ fields }) => fields);
  }

  /** Tokens, codes and secrets of clients that it has issued and that are valid. */
  get secrets(): string[] {
    const secrets = [...this.#clients.values()].flatMap(({ secret }) => secret ?? []);
    return [...this.#access.keys(), ...this.#refresh.keys(), ...this.#codes.keys(), ...secrets];
  }

  /** Returns the scope of an access token that is valid. */
  scopeOf(token: string): string | undefined {
    return this.#access.get(token)?.scope;
  }

  /** Ends all access tokens, as after their lifetime. */
  expireTokens(): void {
    this.#access.clear();
  }

  /** Ends all refresh tokens too. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  /** Opens an address of an attempt as a browser. @returns the parameters with which the browser is sent back */
  async visit(address: string): Promise<{ state: string; code?: string; iss?: string; error?: string }> {
    const response = await fetch(address, { redirect: "manual" });
    const { searchParams } = new URL(response.headers.get("location") ?? "");
    const { state = "", ...others } = Object.fromEntries(searchParams);
    return { state, ...others };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Answers a request. @param read its body, if the caller has read it */
  async handle(request: IncomingMessage, response: ServerResponse, read?: string): Promise<void> {
    const url = new URL(request.url ?? "/", this.issuer);
    if (url.pathname === "/.well-known/oauth-authorization-server") return sendJson(response, 200, this.#metadata());
    const body = read ?? (await text(request));
    const isJson = request.headers["content-type"] === "application/json";
    const fields = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body || url.search));
    this.requests.push({ path: url.pathname, fields, authorization: request.headers.authorization });
    if (url.pathname === "/register") return this.#register(fields, response);
    if (url.pathname === "/authorize") return this.#authorize(fields, response);
    if (url.pathname === "/token") return this.#token(fields, request, response);
    if (url.pathname === "/revoke") return this.#revoke(fields, request, response);
    return sendJson(response, 404, {});
  }

  #metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
      ...this.replacedMetadata,
    };
  }

  #register(fields: Record<string, unknown>, response: ServerResponse): void {
    const { token_endpoint_auth_method: method = "client_secret_basic" } = fields;
    const id = randomUUID();
    const secret = method === "none" ? undefined : randomUUID();
    this.#clients.set(id, { secret, method: String(method) });
    const added = { client_id: id, ...(secret && { client_secret: secret, client_secret_expires_at: 0 }) };
    sendJson(response, 201, { ...fields, ...added });
  }

  #authorize(fields: Record<string, string>, response: ServerResponse): void {
    const target = this.#returnOf(fields);
    if (target) response.writeHead(302, { location: target.href }).end();
    else sendJson(response, 400, {});
  }

  /** Returns the address to which the browser is sent back. */
  #returnOf(fields: Record<string, string>): URL | undefined {
    const { client_id = "", redirect_uri = "", state = "", code_challenge: challenge, scope = "", resource } = fields;
    const isKnown = this.#clients.has(client_id) || client_id.startsWith("https:");
    if (!isKnown || !challenge || fields.code_challenge_method !== "S256") return undefined;
    const target = new URL(redirect_uri);
    target.searchParams.set("state", state);
    if (this.iss !== undefined) target.searchParams.set("iss", this.iss);
    if (this.consents) {
      const code = randomUUID();
      this.#codes.set(code, { clientId: client_id, challenge, redirectUri: redirect_uri, scope, resource });
      target.searchParams.set("code", code);
    } else target.searchParams.set("error", "access_denied");
    return target;
  }

  async #token(fields: Record<string, string>, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.tokenRedirect !== undefined) {
      response.writeHead(307, { location: this.tokenRedirect }).end();
      return;
    }
    const clientId = this.#authenticated(fields, request.headers.authorization);
    if (clientId === undefined) return sendJson(response, 401, { error: "invalid_client" });
    const grant = fields.grant_type === "refresh_token" ? await this.#refreshed(fields) : this.#redeemed(fields);
    if (grant?.clientId !== clientId) return sendJson(response, 400, { error: "invalid_grant" });
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.#access.set(access, grant);
    this.#refresh.set(refresh, grant);
    const tokens = { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: 3600 };
    sendJson(response, 200, { ...tokens, ...(grant.scope !== "" && { scope: grant.scope }) });
  }

  /** Returns the id of the client if it authenticates by its method. */
  #authenticated(fields: Record<string, string>, authorization: string | undefined): string | undefined {
    const basic = /^Basic (.*)$/.exec(authorization ?? "")?.[1];
    const [basicId, basicSecret] = Buffer.from(basic ?? "", "base64")
      .toString()
      .split(":");
    const id = (basic === undefined ? fields.client_id : basicId) ?? "";
    if (id.startsWith("https:")) return basic === undefined ? id : undefined;
    const client = this.#clients.get(id);
    if (!client) return undefined;
    const used = basic !== undefined ? "client_secret_basic" : fields.client_secret ? "client_secret_post" : "none";
    const secret = basic === undefined ? fields.client_secret : basicSecret;
    return used === client.method && secret === client.secret ? id : undefined;
  }

  #redeemed({ code = "", code_verifier: verifier = "", redirect_uri }: Record<string, string>): Grant | undefined {
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    const isOwn = found?.challenge === createHash("sha256").update(verifier).digest("base64url");
    return isOwn && found.redirectUri === redirect_uri ? found : undefined;
  }

  async #refreshed({ refresh_token: token = "" }: Record<string, string>): Promise<Grant | undefined> {
    await this.onRefresh();
    const grant = this.#refresh.get(token);
    if (grant) this.#refresh.delete(token);
    else this.revokeAll();
    return grant;
  }

  #revoke(fields: Record<string, string>, request: IncomingMessage, response: ServerResponse): void {
    const isClient = this.#authenticated(fields, request.headers.authorization) !== undefined;
    if (isClient) {
      this.#access.delete(fields.token ?? "");
      this.#refresh.delete(fields.token ?? "");
    }
    response.writeHead(isClient ? 200 : 401).end();
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
