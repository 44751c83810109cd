import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { discoveryOf, METHOD_NOT_FOUND, UNCACHED } from "./protocol-answers.ts";

const INVALID_PARAMS = -32602;

export type JsonObject = Record<string, unknown>;

/** A request that arrived. `headers`: of HTTP. */
export type McpRequest = { method: string; params: JsonObject; headers: IncomingMessage["headers"] };

/** `send`: writes a notification before the result. `end`: ends the stream without a result. `signal`: the client has left. */
export type McpExchange = McpRequest & {
  send(method: string, params: JsonObject): void;
  end(): void;
  signal: AbortSignal;
};

/** Returns the result of a call; `resultType` is `complete` by default. @throws McpError */
export type ToolScript = (exchange: McpExchange) => JsonObject | Promise<JsonObject>;

/** An error of JSON-RPC. */
export class McpError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const ECHO = {
  name: "echo",
  description: "Repeats a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};

/**
 * A server of the revision 2026-07-28 on a free port of this machine, whose tools and answers a test sets. It speaks the
 * protocol as on the wire, without an SDK.
 */
export class ScriptedMcpServer implements AsyncDisposable {
  readonly requests: McpRequest[] = [];
  /** As `tools/list` has them; by default a tool that repeats a text. */
  tools: JsonObject[] = [ECHO];
  /** Tools of a page of the list. */
  pageSize = Number.POSITIVE_INFINITY;
  readonly scripts = new Map<string, ToolScript>();
  /** Scripts of other methods, such as those of tasks. */
  readonly methods = new Map<string, ToolScript>();
  capabilities: JsonObject = { tools: { listChanged: true } };
  /** Answers a request instead of the protocol, such as with status 401; returns whether it does. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #listeners = new Map<ServerResponse, unknown>();

  constructor() {
    this.scripts.set("echo", ({ params }) => ({ content: [{ type: "text", text: textOf(params) }] }));
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", () => socket.destroy());
    });
  }

  async listen(): Promise<this> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  /** Number of clients that wait for notifications. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Requests of a method, such as `tools/call`. */
  requestsOf(method: string): McpRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  /** Replaces the tools, and notifies the clients that listen. */
  changeTools(tools: JsonObject[]): void {
    this.tools = tools;
    for (const [response, id] of this.#listeners) {
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      writeEvent(response, { method: "notifications/tools/list_changed", params: { _meta } });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    if (this.intercept(request, response)) return;
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const { id, method, params = {} } = JSON.parse(Buffer.concat(pieces).toString());
    this.requests.push({ method, params, headers: request.headers });
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (method === "subscriptions/listen") this.#listen(response, id, params);
    else await this.#run({ method, params, headers: request.headers }, response, id);
  }

  #listen(response: ServerResponse, id: unknown, params: JsonObject): void {
    const _meta = { "io.modelcontextprotocol/subscriptionId": id };
    response.on("close", () => this.#listeners.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const { notifications = {} } = params;
    writeEvent(response, { method: "notifications/subscriptions/acknowledged", params: { _meta, notifications } });
    this.#listeners.set(response, id);
  }

  async #run(request: McpRequest, response: ServerResponse, id: unknown): Promise<void> {
    const leaving = new AbortController();
    response.on("close", () => leaving.abort());
    const send = (method: string, params: JsonObject) => {
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
      writeEvent(response, { method, params });
    };
    const end = () => void response.end();
    const answer = await this.#resultOf({ ...request, send, end, signal: leaving.signal }).then(
      (result) => ({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }),
      (error: unknown) => ({ jsonrpc: "2.0", id, error: errorOf(error) }),
    );
    if (response.writableEnded || response.destroyed) return;
    if (response.headersSent) response.end(`data: ${JSON.stringify(answer)}\n\n`);
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  async #resultOf(exchange: McpExchange): Promise<JsonObject> {
    const { method, params } = exchange;
    const script = this.methods.get(method);
    if (script) return script(exchange);
    if (method === "server/discover") return discoveryOf(this.capabilities);
    if (method === "tools/list") return this.#page(Number(params.cursor ?? 0));
    if (method !== "tools/call") throw new McpError(METHOD_NOT_FOUND, "Method not found");
    const tool = this.scripts.get(String(params.name));
    if (!tool) throw new McpError(INVALID_PARAMS, "There is no such tool");
    return tool(exchange);
  }

  #page(from: number): JsonObject {
    const to = from + this.pageSize;
    const nextCursor = to < this.tools.length ? { nextCursor: `${to}` } : {};
    return { tools: this.tools.slice(from, to), ...UNCACHED, ...nextCursor };
  }
}

export const startScriptedMcpServer = (): Promise<ScriptedMcpServer> => new ScriptedMcpServer().listen();

/** Returns a result that asks by a form with these properties. */
export const inputRequired = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  resultType: "input_required",
  inputRequests: {
    form: {
      method: "elicitation/create",
      params: { mode: "form", message: "Which one?", requestedSchema: { type: "object", properties } },
    },
  },
  ...more,
});

function writeEvent(response: ServerResponse, message: JsonObject): void {
  response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
}

const textOf = ({ arguments: given }: JsonObject) => String((given as JsonObject | undefined)?.text ?? "");

const errorOf = (error: unknown) =>
  error instanceof McpError
    ? { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) }
    : { code: -32603, message: String(error) };
