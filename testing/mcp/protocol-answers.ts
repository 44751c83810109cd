/** Answers of JSON-RPC that the scripted MCP servers of tests share, and those that begin a connection. */

/** Revision of the protocol: with a handshake, or without a state. */
export type McpEra = "2025-11-25" | "2026-07-28";

export const METHOD_NOT_FOUND = -32_601;

/** Fields of results of the revision 2026-07-28 by which clients do not cache them. */
export const UNCACHED = { ttlMs: 0, cacheScope: "private" } as const;

/** Returns the answer to a request; an undefined result: there is no such method. */
export function answerOf(id: unknown, result: object | undefined): object {
  const answer = result ? { result } : { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
  return { jsonrpc: "2.0", id, ...answer };
}

/** The result of `initialize`, of the revision 2025-11-25. */
export const handshakeOf = (name: string, capabilities: object = { tools: {} }) => ({
  protocolVersion: "2025-11-25" satisfies McpEra,
  capabilities,
  serverInfo: { name, version: "1.0.0" },
});

/** The result of `server/discover`, of the revision 2026-07-28. */
export const discoveryOf = (capabilities: object = { tools: {} }) => ({
  supportedVersions: ["2026-07-28" satisfies McpEra],
  capabilities,
  ...UNCACHED,
});
