import type { Config } from "../../config/config.ts";
import type { Database } from "../../database/schema.ts";
import { admitsFirstOwner } from "./owners.ts";
import { ownerKeyOf, ownershipLink } from "./ownership-keys.ts";
import { hasOwner } from "./role-store.ts";

/** Returns the sentence with the link for the console, or null if there is an owner or will be one. */
export async function missingOwner(
  { publicUrl, isReachable }: Pick<Config, "publicUrl" | "isReachable">,
  database: Database,
  secretKey: string,
): Promise<string | null> {
  if (await hasOwner(database)) return null;
  if (await admitsFirstOwner({ isReachable }, database)) return null;
  const link = ownershipLink(publicUrl, ownerKeyOf(secretKey));
  return `This server has no owner: sign in, then open ${link} to administer it.`;
}
