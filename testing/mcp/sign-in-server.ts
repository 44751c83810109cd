import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { AuthorisationServer } from "./authorisation-server.ts";
import { answerOf, handshakeOf } from "./protocol-answers.ts";

type Message = { id?: number; method?: string; params?: { name?: string } };

/** A tool server over a real socket, by revision 2025-11-25, which needs the tokens of an authorisation server. */
export class SignInServer implements AsyncDisposable {
  readonly #server: Server;
  readonly authorisation: AuthorisationServer;
  /** `Authorization` of all requests; empty: none. */
  readonly credentials: string[] = [];
  /** Issuers that its metadata name. */
  issuers: string[] = [];
  /** Scope of its challenges. */
  scope = "notes:read";
  /** Address of the resource metadata that its challenges name; undefined: its own. */
  namedMetadata: string | undefined;
  /** Answers a request instead; returns whether it does. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  constructor(authorisation: AuthorisationServer) {
    this.authorisation = authorisation;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.intercept(request, response)) return undefined;
    if (request.url === "/.well-known/oauth-protected-resource/mcp") {
      const metadata = { resource: this.url, authorization_servers: this.issuers };
      return send(response, 200, metadata);
    }
    if (request.url !== "/mcp") {
      if (this.authorisation.origin === undefined) return send(response, 404, {});
      return this.authorisation.handle(request, response, body);
    }
    if (request.method !== "POST") return send(response, 405, {});
    const { authorization = "" } = request.headers;
    this.credentials.push(authorization);
    const scope = this.authorisation.scopeOf(authorization.replace(/^Bearer /, ""));
    const address = this.namedMetadata ?? `${this.origin}/.well-known/oauth-protected-resource/mcp`;
    const metadata = `resource_metadata="${address}"`;
    if (scope === undefined) {
      return send(response, 401, {}, { "www-authenticate": `Bearer ${metadata}, scope="${this.scope}"` });
    }
    this.#handle(JSON.parse(body), scope, response);
  }

  #handle({ id, method, params }: Message, scope: string, response: ServerResponse): void {
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (params?.name === "write" && !scope.split(" ").includes("notes:write")) {
      const challenge = 'Bearer error="insufficient_scope", scope="notes:write"';
      send(response, 403, {}, { "www-authenticate": challenge });
      return;
    }
    send(response, 200, answerOf(id, RESULTS[method ?? ""]));
  }
}

const inputSchema = { type: "object" };
const RESULTS: Readonly<Record<string, object>> = {
  initialize: handshakeOf("notes"),
  "tools/list": { tools: ["read", "write"].map((name) => ({ name, description: name, inputSchema })) },
  "tools/call": { content: [{ type: "text", text: "Done." }] },
};

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Starts a tool server that is its own authorisation server, at one origin. */
export async function startJoinedSignInServer(): Promise<SignInServer> {
  const authorisation = new AuthorisationServer();
  const server = new SignInServer(authorisation);
  await server.listen();
  authorisation.origin = server.origin;
  authorisation.iss = server.origin;
  server.issuers = [server.origin];
  return server;
}

/** Starts a tool server with its authorisation server. */
export async function startSignInServer(): Promise<SignInServer> {
  await using opened = new AsyncDisposableStack();
  const authorisation = opened.use(new AuthorisationServer());
  await authorisation.listen();
  const server = new SignInServer(authorisation);
  await server.listen();
  server.issuers = [authorisation.issuer];
  const resources = opened.move();
  const dispose = server[Symbol.asyncDispose].bind(server);
  return Object.assign(server, {
    [Symbol.asyncDispose]: async () => {
      await dispose();
      await resources.disposeAsync();
    },
  });
}
