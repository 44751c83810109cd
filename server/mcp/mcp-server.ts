import type { HttpTransport, StdioTransport } from "../config/mcp-file.ts";

/**
 * A server that speaks the Model Context Protocol, as its calls need it.
 * - `key`: of its states and tokens: the id of its row, or `file:` and the slug.
 * - `slug`: of its group of tools.
 * - `source`: who has entered it: the operator's file, an owner, or the person `userId`.
 * - `isTrusted`: what its tools state about themselves is believed.
 * - `chosenTools`: names of the tools that are offered; null: all.
 */
export type McpServer = {
  readonly key: string;
  readonly slug: string;
  readonly name: string;
  readonly source: "file" | "owner" | "person";
  readonly userId?: string;
  readonly transport: HttpTransport | StdioTransport;
  readonly isTrusted: boolean;
  readonly chosenTools: readonly string[] | null;
};

/** Returns where a server is, as people see it; empty for a program beside Parley. */
export const shownHostOf = ({ transport }: Pick<McpServer, "transport">): string =>
  transport.kind === "http" ? new URL(transport.url).host : "";

/** Returns what identifies a server in approvals: its address without its headers, or its program. */
export const addressOf = ({ transport }: Pick<McpServer, "transport">): string =>
  transport.kind === "http" ? transport.url : JSON.stringify(transport.command);
