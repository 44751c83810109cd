import type { McpServer } from "../../server/mcp/mcp-server.ts";
import type { ToolContext } from "../../server/tools/tool.ts";

/** A server of an owner over HTTP. */
export const httpServer = (url: string, more: Partial<McpServer> = {}): McpServer => ({
  key: "server-1",
  slug: "shop",
  name: "Shop",
  source: "owner",
  transport: { kind: "http", url, headers: {} },
  isTrusted: false,
  chosenTools: null,
  ...more,
});

/** A program of the operator's file. */
export const stdioServer = (...command: [string, ...string[]]): McpServer => ({
  ...httpServer("http://unused.test/"),
  key: "file:program",
  source: "file",
  transport: { kind: "stdio", command, env: {} },
});

export const toolContext = (more: Partial<ToolContext> = {}): ToolContext => ({
  userId: "ada",
  chatId: null,
  files: [],
  flow: { account: "ada", network: "192.0.2.1" },
  now: Date.UTC(2026, 0, 1),
  timeZone: "UTC",
  room: 100_000,
  signal: new AbortController().signal,
  ...more,
});
