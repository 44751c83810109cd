/** Why a tool server does not work. */

/**
 * Why a server has no list of tools. `sign-in`: it wants people to sign in. `refused`: it refuses the headers. `not-mcp`:
 * the answer is none of the protocol. `too-large`: its list is. `failed`: it reports an error, see `status`.
 */
export const mcpFailures = ["unreachable", "sign-in", "refused", "not-mcp", "too-large", "failed"] as const;
export type McpFailure = (typeof mcpFailures)[number];

/** Why a server is unreachable: as of identity providers. `program`: one beside Parley does not run. */
export const mcpFaults = [
  ...(["name", "refused", "certificate", "proxy", "broken-off", "not-public", "redirect", "slow", "program"] as const),
] as const;
export type McpFault = (typeof mcpFaults)[number];
