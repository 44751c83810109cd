import type { WebServer } from "../../testing/browsing/web-server.ts";
import type { JsonObject, ScriptedMcpServer } from "../../testing/mcp/scripted-mcp-server.ts";
import type { Harness } from "../security-suite.ts";
import type { ToolSite } from "./tool-site.ts";

/** A server process, the malicious tool server that its owner adds, and the search engine of the installation. */
export type ToolTarget = { harness: Harness; tools: ToolSite; remote: ScriptedMcpServer; engine: WebServer };

/** A tool as `tools/list` has it. */
export const listedTool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  ...more,
});

/** Restores what a trial has changed of the malicious server. */
export function resetRemote(remote: ScriptedMcpServer): void {
  remote.intercept = () => false;
  remote.methods.clear();
  remote.tools = [listedTool("echo")];
  remote.pageSize = Number.POSITIVE_INFINITY;
  remote.requests.length = 0;
}

export const textResult = (text: string): JsonObject => ({ content: [{ type: "text", text }] });
