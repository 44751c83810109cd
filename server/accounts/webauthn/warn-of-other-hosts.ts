import type { Config } from "../../config/config.ts";
import type { Database } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import { passkeySiteOf } from "./passkey-site.ts";
import { countPasskeysElsewhere } from "./passkey-store.ts";

/** Warns at the start if passkeys were made for another host than that of `PUBLIC_URL`: browsers do not offer them here. */
export async function warnOfOtherHosts({
  database,
  config,
  log,
}: {
  database: Database;
  config: Pick<Config, "publicUrl">;
  log: Log;
}): Promise<void> {
  const site = passkeySiteOf(config.publicUrl);
  const host = typeof site === "string" ? "" : site.host;
  const passkeys = await countPasskeysElsewhere(database, host);
  if (passkeys > 0)
    log.warn({ passkeys, host }, "passkeys belong to another host than PUBLIC_URL and do not work here");
}
