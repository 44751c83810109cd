import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { AuthorisationServer } from "./authorisation-server.ts";

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
    this.issuers = [this.authorisation.issuer];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url === "/.well-known/oauth-protected-resource/mcp") {
      const metadata = { resource: this.url, authorization_servers: this.issuers };
      return send(response, 200, metadata);
    }
    if (request.url !== "/mcp") return send(response, 404, {});
    if (request.method !== "POST") return send(response, 405, {});
    const { authorization = "" } = request.headers;
    this.credentials.push(authorization);
    const scope = this.authorisation.scopeOf(authorization.replace(/^Bearer /, ""));
    const metadata = `resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`;
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
    const result = RESULTS[method ?? ""];
    const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    send(response, 200, { jsonrpc: "2.0", id, ...answer });
  }
}

const inputSchema = { type: "object" };
const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  },
  "tools/list": { tools: ["read", "write"].map((name) => ({ name, description: name, inputSchema })) },
  "tools/call": { content: [{ type: "text", text: "Done." }] },
};

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Starts a tool server with its authorisation server. */
export async function startSignInServer(): Promise<SignInServer> {
  await using opened = new AsyncDisposableStack();
  const authorisation = opened.use(new AuthorisationServer());
  await authorisation.listen();
  const server = new SignInServer(authorisation);
  await server.listen();
  const resources = opened.move();
  const dispose = server[Symbol.asyncDispose].bind(server);
  return Object.assign(server, {
    [Symbol.asyncDispose]: async () => {
      await dispose();
      await resources.disposeAsync();
    },
  });
}
