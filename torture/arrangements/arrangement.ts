import type { Account } from "../../testing/accounts/process-account.ts";
import type { FaultProxy } from "../../testing/servers/fault-proxy.ts";
import type { Death, ServerProcess } from "../../testing/servers/server-process.ts";
import { bounded } from "../bounded.ts";

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

/**
 * Sends a signal and waits for the exit.
 * @returns the exit code; null if the signal killed the process
 * @throws GaveUp if the process does not end
 */
export const endServer = (server: ServerProcess, signal: "SIGKILL" | "SIGTERM"): Promise<number | null> =>
  bounded(`server ${server.name} did not end after ${signal}`, server.end(signal));

/** Starts the servers that do not run, and waits for them. */
export async function startAll({ servers }: Arrangement): Promise<void> {
  for (const server of servers) if (!server.isRunning) await server.start();
}

/** Ends and starts all servers and brings back their services, in whatever state a failed fault has left them. */
export async function restore(arrangement: Arrangement): Promise<void> {
  const { servers, database, redis } = arrangement;
  await database?.set("pass");
  await redis?.set("pass");
  for (const server of servers) {
    await endServer(server, "SIGKILL");
    server.thaw();
  }
  await startAll(arrangement);
}
