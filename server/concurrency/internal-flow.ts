import type { Flow } from "./fair-queue.ts";

/** Returns the flow of the server's own work on something, for which no client waits longer than for its own. */
export const internalFlow = (key: string): Flow => ({ network: "server", account: key });
