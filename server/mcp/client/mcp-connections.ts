import type { ToolOutcome } from "../../tools/tool.ts";
import type { McpCall, McpClients, McpListing } from "../mcp-clients.ts";
import type { McpServer } from "../mcp-server.ts";
import type { McpConnectionsDeps } from "./mcp-connections-deps.ts";
import type { OpenedConnections } from "./opened-connections.ts";

/** Connections to MCP servers, whose modules are loaded with the first. */
export class McpConnections implements McpClients {
  readonly #deps: McpConnectionsDeps;
  #opened: Promise<OpenedConnections> | undefined;

  constructor(deps: McpConnectionsDeps) {
    this.#deps = deps;
  }

  async inspect(server: McpServer, userId: string, signal: AbortSignal): Promise<McpListing> {
    return (await this.#load()).inspect({ server, userId }, signal);
  }

  async refresh(server: McpServer, userId: string, signal: AbortSignal): Promise<McpListing> {
    return (await this.#load()).refresh({ server, userId }, signal);
  }

  async call(call: McpCall): Promise<ToolOutcome> {
    return (await this.#load()).call(call);
  }

  async close(key: string, userId?: string): Promise<void> {
    await (await this.#opened)?.close(key, userId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#opened)?.[Symbol.asyncDispose]();
  }

  #load(): Promise<OpenedConnections> {
    this.#opened ??= import("./opened-connections.ts").then((module) => new module.OpenedConnections(this.#deps));
    return this.#opened;
  }
}
