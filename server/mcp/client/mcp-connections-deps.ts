import type { Clock } from "../../concurrency/clock.ts";
import type { Database } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { McpServer } from "../mcp-server.ts";
import type { Schedule } from "./pool-deps.ts";
import type { Authorisation } from "./transports.ts";

/** Returns what authorises the requests of a person to a server; undefined: nothing. */
export type AuthorisationOf = (server: McpServer, userId: string) => Authorisation | undefined;

/**
 * `version`: of Parley. `isPublicAddress`: whether requests may connect to an IP address, by default to public ones.
 * `listingMs`: time to connect and to list the tools, by default 20 s. `schedule`: by default by the timers of the
 * process, which do not prevent its end.
 */
export type McpConnectionsDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  outbound: Outbound;
  version: string;
  authorisationOf?: AuthorisationOf;
  isPublicAddress?: ((address: string) => boolean) | undefined;
  listingMs?: number;
  schedule?: Schedule;
};
