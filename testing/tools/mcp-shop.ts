import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { answerOf, discoveryOf, handshakeOf, type McpEra, UNCACHED } from "../mcp/protocol-answers.ts";

type Given = { item?: string };
type Params = {
  name?: string;
  arguments?: Given;
  task?: object;
  taskId?: string;
  inputResponses?: Readonly<Record<string, { action: string; content?: Record<string, unknown> }>>;
  requestState?: string;
};
type Message = { id?: number | string; method?: string; params?: Params };

const inputSchema = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };
const TASKS = "io.modelcontextprotocol/tasks";

const handshake = handshakeOf("shop", { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } });
const discovery = { ...discoveryOf({ tools: {}, extensions: { [TASKS]: {} } }), serverInfo: handshake.serverInfo };

const tools = [
  { name: "buy", description: "Buys an item.", inputSchema },
  {
    name: "look_up",
    description: "Says whether an item is in stock.",
    inputSchema,
    annotations: { readOnlyHint: true },
  },
  { name: "weigh", description: "Weighs an item.", inputSchema },
  { name: "tailor", description: "Makes an item in a size that it asks for.", inputSchema },
  {
    name: "brew",
    description: "Brews an item, which takes long.",
    inputSchema,
    execution: { taskSupport: "required" },
  },
];

const sizeForm = {
  mode: "form",
  message: "Which size?",
  requestedSchema: { type: "object", properties: { size: { type: "string" } }, required: ["size"] },
};

/**
 * An MCP server of one revision over a real socket, whose tools act on a `ShopServer`. Its tasks outlive the client that
 * has begun them.
 */
export class McpShop implements AsyncDisposable {
  readonly #shopUrl: string;
  readonly #era: McpEra;
  readonly #tasks = new Map<string, { result?: object }>();
  /**
   * Name of a header of requests whose value becomes part of the path at the shop, so that executions name their caller;
   * undefined: none does.
   */
  callerHeader: string | undefined;
  /** Closes each connection without an answer. */
  isUnreachable = false;
  readonly #refusals = new Map<string, number>();
  /** Tasks whose result was requested, in the order of the requests. */
  readonly polled: string[] = [];
  /** Tasks whose end was requested. */
  readonly cancelled: string[] = [];
  /** Contents of the forms that were answered. */
  readonly answered: unknown[] = [];
  readonly #server = createServer((request, response) => {
    // The shop was closed, or the client has left.
    this.#respond(request, response).catch(() => response.destroy());
  });

  private constructor(shopUrl: string, era: McpEra) {
    this.#shopUrl = shopUrl;
    this.#era = era;
  }

  /** @param shopUrl of the `ShopServer` */
  static async start(shopUrl: string, era: McpEra): Promise<McpShop> {
    const shop = new McpShop(shopUrl, era);
    await once(shop.#server.listen(0, "127.0.0.1"), "listening");
    return shop;
  }

  /** Answers the next request of a method with a status of HTTP. */
  refuseNext(method: string, status: number): void {
    this.#refusals.set(method, status);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    if (this.isUnreachable) return void response.destroy();
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method = "", params = {} }: Message = JSON.parse(await text(request));
    if (id === undefined) return void response.writeHead(202).end();
    const refusal = this.#refusals.get(method);
    this.#refusals.delete(method);
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const caller = this.callerHeader === undefined ? "" : `${request.headers[this.callerHeader]}/`;
    const result = await this.#resultOf(method, params, caller);
    const status = result || this.#era === "2025-11-25" ? 200 : 404;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answerOf(id, result)));
  }

  async #resultOf(method: string, params: Params, caller: string): Promise<object | undefined> {
    const isModern = this.#era === "2026-07-28";
    const complete = isModern ? { resultType: "complete" } : {};
    const cached = isModern ? UNCACHED : {};
    switch (method) {
      case "initialize":
        return isModern ? undefined : handshake;
      case "server/discover":
        return isModern ? { ...complete, ...discovery } : undefined;
      case "tools/list":
        return { ...complete, ...cached, tools };
      case "tools/call":
        return this.#call(params, caller);
      case "tasks/get":
        return this.#taskOf(params.taskId ?? "");
      case "tasks/cancel":
        this.cancelled.push(params.taskId ?? "");
        return { ...complete };
      case "tasks/result":
        return this.#tasks.get(params.taskId ?? "")?.result;
      default:
        return undefined;
    }
  }

  async #call(params: Params, caller: string): Promise<object> {
    const { name = "", inputResponses, requestState } = params;
    const { item = "" } = params.arguments ?? {};
    if (name === "tailor" && this.#era === "2026-07-28") {
      const answer = inputResponses?.size;
      if (!answer) {
        const inputRequests = { size: { method: "elicitation/create", params: sizeForm } };
        return { resultType: "input_required", inputRequests, requestState: `opaque ${item}` };
      }
      this.answered.push({ answer, requestState });
    }
    if (name === "brew") return this.#beginTask(caller, item);
    return this.#complete(await this.#execute(caller + name, item));
  }

  #beginTask(caller: string, item: string): object {
    const taskId = `task-${this.#tasks.size + 1}`;
    const task: { result?: object } = {};
    this.#tasks.set(taskId, task);
    this.#execute(`${caller}brew`, item).then(
      (words) => {
        task.result = this.#complete(words);
      },
      () => undefined,
    );
    const at = new Date(0).toISOString();
    const state = { taskId, status: "working", createdAt: at, lastUpdatedAt: at };
    return this.#era === "2026-07-28"
      ? { resultType: "task", ...state, ttlMs: null, pollIntervalMs: 50 }
      : { task: { ...state, ttl: null, pollInterval: 50 } };
  }

  #taskOf(taskId: string): object | undefined {
    const task = this.#tasks.get(taskId);
    if (!task) return undefined;
    this.polled.push(taskId);
    const at = new Date(0).toISOString();
    const state = { taskId, status: task.result ? "completed" : "working", createdAt: at, lastUpdatedAt: at };
    return this.#era === "2026-07-28"
      ? {
          resultType: "complete",
          ...state,
          ttlMs: null,
          pollIntervalMs: 50,
          ...(task.result && { result: task.result }),
        }
      : { ...state, ttl: null, pollInterval: 50 };
  }

  #complete(words: string): object {
    const content = [{ type: "text", text: words }];
    return this.#era === "2026-07-28" ? { resultType: "complete", content } : { content };
  }

  /** @param path of the tool at the shop */
  async #execute(path: string, item: string): Promise<string> {
    const response = await fetch(`${this.#shopUrl}/${path}`, { method: "POST", body: JSON.stringify({ item }) });
    return response.text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
