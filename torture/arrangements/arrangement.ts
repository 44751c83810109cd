import type { Account } from "../../testing/accounts/process-account.ts";
import type { FaultProxy } from "../../testing/servers/fault-proxy.ts";
import type { Death, ServerProcess } from "../../testing/servers/server-process.ts";

export const arrangementNames = ["sqlite", "postgres", "two-processes", "behind-nginx"] as const;
export type ArrangementName = (typeof arrangementNames)[number];

/** Servers on one database, and the URL to reach them. */
export interface Arrangement {
  readonly name: ArrangementName;
  readonly servers: readonly [ServerProcess, ...ServerProcess[]];
  /** URL that reaches the listening servers, for example round-robin. */
  readonly url: string;
  /** Several accounts, because the number of concurrent replies of one account is limited. */
  readonly accounts: readonly [Account, ...Account[]];
  /** Environment of the servers. */
  readonly env: Readonly<Record<string, string>>;
  /** Proxies in front of PostgreSQL and Redis, if used. */
  readonly database?: FaultProxy;
  readonly redis?: FaultProxy;
  /** Folder of data and logs, for analysing failures. */
  readonly folder: string;
  /** Keeps data folders and databases after the run. */
  retainData(): void;
}

/** Returns all kills of an arrangement's servers, in order of time. */
export function deathsOf({ servers }: Arrangement): Death[] {
  return servers.flatMap(({ deaths }) => deaths).sort((a, b) => a.at - b.at);
}

/** Starts the servers that do not run, and waits for them. */
export async function startAll({ servers }: Arrangement): Promise<void> {
  for (const server of servers) if (!server.isRunning) await server.start();
}
