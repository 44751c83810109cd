import type { Account } from "../../testing/accounts/process-account.ts";
import type { FaultProxy } from "../../testing/servers/fault-proxy.ts";
import type { Death, ServerProcess } from "../../testing/servers/server-process.ts";

export const arrangementNames = ["sqlite", "postgres", "two-processes", "behind-nginx"] as const;
export type ArrangementName = (typeof arrangementNames)[number];

/** Servers that serve one database, and the way to them. */
export interface Arrangement {
  readonly name: ArrangementName;
  readonly servers: readonly [ServerProcess, ...ServerProcess[]];
  /** Leads to any server that listens, in turn. */
  readonly url: string;
  /** As few replies of one account may be written at once, several write. */
  readonly accounts: readonly [Account, ...Account[]];
  /** What the servers were started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Before PostgreSQL and Redis, where they are used. */
  readonly database?: FaultProxy;
  readonly redis?: FaultProxy;
  /** Where everything is kept, for those who look into what went wrong. */
  readonly folder: string;
  /** Leaves data folders and databases behind at its end. */
  retainData(): void;
}

/** All deaths of an arrangement's servers, in the order in which they happened. */
export function deathsOf({ servers }: Arrangement): Death[] {
  return servers.flatMap(({ deaths }) => deaths).sort((a, b) => a.at - b.at);
}

/** Waits until every server is up. */
export async function startAll({ servers }: Arrangement): Promise<void> {
  for (const server of servers) if (!server.isRunning) await server.start();
}
