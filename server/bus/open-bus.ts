import { deriveKey } from "../config/secret-key.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Log } from "../log.ts";
import { type Bus, LocalBus } from "./bus.ts";

/**
 * Opens a bus through Redis if a URL is given, so that all servers on the database are notified; otherwise within the
 * process.
 */
export async function openBus({ redisUrl, databaseUrl }: Secrets, secretKey: string, log: Log): Promise<Bus> {
  if (redisUrl === undefined) return new LocalBus({ hearsAll: databaseUrl === undefined });
  const { RedisBus } = await import("./redis-bus.ts");
  // Several installations may share a Redis; the prefix separates their channels.
  const installation = Buffer.from(deriveKey(secretKey, "bus")).toString("hex", 0, 8);
  return RedisBus.open({ url: redisUrl, log, prefix: `parley:${installation}:` });
}
