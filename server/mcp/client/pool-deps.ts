import type { McpServer } from "../mcp-server.ts";
import type { Connection } from "./connection.ts";

/** The server and the account of a connection. */
export type ConnectionOwner = { server: McpServer; userId: string };

/** A connection in use. `isReused`: it was open before. */
export type Lease = { connection: Connection; isReused: boolean; release(): void };

/** Calls `run` after `ms`; the result cancels that. */
export type Schedule = (run: () => void, ms: number) => () => void;

export type PoolDeps = {
  open(owner: ConnectionOwner, signal: AbortSignal): Promise<Connection>;
  schedule: Schedule;
};
