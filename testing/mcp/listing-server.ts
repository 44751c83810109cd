import { WebServer } from "../browsing/web-server.ts";
import { answerOf, handshakeOf, type McpEra } from "./protocol-answers.ts";

type ScriptedTool = { name: string; title?: string; description?: string; annotations?: Record<string, boolean> };

/** The revision that the server speaks. */
export const LISTING_REVISION: McpEra = "2025-11-25";

/** An MCP server over Streamable HTTP whose tools a test sets. It needs the header `x-key` if there is a {@link key}. */
export class ListingServer implements AsyncDisposable {
  readonly #web = new WebServer();
  tools: ScriptedTool[] = [{ name: "find", title: "Find pages", annotations: { readOnlyHint: true } }];
  key: string | undefined;

  static async start(): Promise<ListingServer> {
    const server = new ListingServer();
    await server.#web.listen("127.0.0.1");
    return server;
  }

  constructor() {
    this.#web.answers.set("/mcp", (response, { method, headers, body }) => {
      if (method !== "POST") return void response.writeHead(405).end();
      if (this.key !== undefined && headers["x-key"] !== this.key) return void response.writeHead(403).end();
      const answer = this.#answer(JSON.parse(body));
      if (answer === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  }

  get url(): string {
    return this.#web.url("/mcp", "127.0.0.1");
  }

  /** Values of a header of the requests. */
  sent(header: string): unknown[] {
    return this.#web.requests.map(({ headers }) => headers[header]);
  }

  #answer({ id, method }: { id?: number; method: string }): object | undefined {
    if (id === undefined) return undefined;
    return answerOf(id, this.#result(method));
  }

  #result(method: string): object | undefined {
    if (method === "initialize") return handshakeOf("scripted");
    const inputSchema = { type: "object", properties: {} };
    return method === "tools/list" ? { tools: this.tools.map((tool) => ({ ...tool, inputSchema })) } : undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#web[Symbol.asyncDispose]();
  }
}
