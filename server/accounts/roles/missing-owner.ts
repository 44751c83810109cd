import type { Config } from "../../config/config.ts";
import { isLoopback } from "../../config/loopback.ts";
import { deriveKey } from "../../config/secret-key.ts";
import type { Database } from "../../database/schema.ts";
import { hasOwner, hasVerified } from "./role-store.ts";

/** 128 bits. */
const KEY_BYTES = 16;

/**
 * Returns the key of the link that makes an account the first owner. It is derived from the server's secret: the same on
 * every process and at every start, and valid only while the server has no owner.
 */
export function ownerKeyOf(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, "owner-link").subarray(0, KEY_BYTES)).toString("base64url");
}

/** Returns the sentence with the link for the console, or null if there is an owner or will be one. */
export async function missingOwner(
  { publicUrl }: Pick<Config, "publicUrl">,
  database: Database,
  secretKey: string,
): Promise<string | null> {
  if (await hasOwner(database)) return null;
  // There the first account becomes the owner.
  if (isLoopback(publicUrl) && !(await hasVerified(database))) return null;
  const fragment = new URLSearchParams({ key: ownerKeyOf(secretKey) });
  return `This server has no owner: sign in, then open ${publicUrl}/become-owner#${fragment} to administer it.`;
}
