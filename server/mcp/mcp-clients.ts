import type { McpFailure } from "#contract/mcp/server-failures.ts";
import type { ToolArguments, ToolContext, ToolOutcome } from "../tools/tool.ts";
import type { McpServer } from "./mcp-server.ts";
import type { StoredTool } from "./stored-tool.ts";

/**
 * What a server answered. `revision`: of the protocol, a date. `leftOut`: names of tools that cannot be offered, because
 * their schema is none, their headers are invalid, or another tool has the name. `reason`: of `unreachable`, as of
 * `OutboundRefusal`; `status`: of HTTP.
 */
export type McpListing =
  | { ok: true; revision: string; tools: StoredTool[]; leftOut: readonly string[] }
  | { ok: false; code: McpFailure; reason?: string; status?: number };

/** A call of a tool of a server. */
export type McpCall = { server: McpServer; tool: StoredTool; given: ToolArguments; context: ToolContext };

/** Connections to MCP servers. Nothing of the protocol is loaded before the first. */
export interface McpClients extends AsyncDisposable {
  /** Lists the tools of a server without storing them. Never throws but the reason of the signal. */
  inspect(server: McpServer, userId: string, signal: AbortSignal): Promise<McpListing>;
  /** Lists the tools of a server and stores what was found. Never throws but the reason of the signal. */
  refresh(server: McpServer, userId: string, signal: AbortSignal): Promise<McpListing>;
  /** @throws ToolInputError; the reason of the call's signal */
  call(call: McpCall): Promise<ToolOutcome>;
  /** Ends the connections to a server that was changed, or of one person (`userId`) whose sign-in has ended. */
  close(key: string, userId?: string): Promise<void>;
}
