import type { Config } from "../../config/config.ts";
import type { Queryable } from "../../database/schema.ts";
import { passkeySiteOf } from "./passkey-site.ts";
import { listPasskeys } from "./passkey-store.ts";

/** Returns whether an account has a passkey that works at this server's address. */
export async function hasPasskey(
  { config }: { config: Pick<Config, "publicUrl"> },
  db: Queryable,
  userId: string,
): Promise<boolean> {
  const site = passkeySiteOf(config.publicUrl);
  return typeof site === "object" && (await listPasskeys(db, userId)).some(({ host }) => host === site.host);
}
