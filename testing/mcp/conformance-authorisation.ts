import type { Authorisation } from "../../server/mcp/client/transports.ts";

/** Returns what authorises the requests of a scenario, whose facts are in `context`; undefined: nothing. */
export async function authorisationFor(
  _scenario: string,
  _context: Record<string, unknown>,
): Promise<Authorisation | undefined> {
  return undefined;
}
