import type { Config } from "../../config/config.ts";
import { isLoopback } from "../../config/loopback.ts";
import type { Database } from "../../database/schema.ts";
import { ownerKeyOf, ownershipLink } from "./ownership-keys.ts";
import { hasOwner, hasVerified } from "./role-store.ts";

/** Returns the sentence with the link for the console, or null if there is an owner or will be one. */
export async function missingOwner(
  { publicUrl }: Pick<Config, "publicUrl">,
  database: Database,
  secretKey: string,
): Promise<string | null> {
  if (await hasOwner(database)) return null;
  // There the first account becomes the owner.
  if (isLoopback(publicUrl) && !(await hasVerified(database))) return null;
  const link = ownershipLink(publicUrl, ownerKeyOf(secretKey));
  return `This server has no owner: sign in, then open ${link} to administer it.`;
}
