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

/** Streamable HTTP. `headers`: of each request; they may contain keys. */
export type HttpTransport = { readonly kind: "http"; readonly url: string; readonly headers: Record<string, string> };

/** A program beside Parley, without a shell. `env`: beside the few variables that every program needs. */
export type StdioTransport = {
  readonly kind: "stdio";
  readonly command: readonly [string, ...string[]];
  readonly env: Record<string, string>;
};

/** A server of `MCP_FILE`. `groups`: names of the groups whose members may use it; null: everybody. */
export type FileMcpServer = McpServer & { readonly source: "file"; readonly groups: readonly string[] | null };

/** Returns where a server is, as people see it; empty for a program beside Parley. */
export const shownHostOf = ({ transport }: Pick<McpServer, "transport">): string =>
  transport.kind === "http" ? new URL(transport.url).host : "";

/** Returns what identifies a server in approvals: its address without its headers, or its program. */
export const addressOf = ({ transport }: Pick<McpServer, "transport">): string =>
  transport.kind === "http" ? transport.url : JSON.stringify(transport.command);
