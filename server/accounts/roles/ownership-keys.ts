import { deriveKey } from "../../config/secret-key.ts";
import { LINK_KEY_BYTES, linkKeyOf } from "../mailed-keys/mailed-keys.ts";

/**
 * Returns the key of the link that makes an account the first owner. It is derived from the server's secret: the same on
 * every process and at every start, and valid only while the server has no owner.
 */
export function ownerKeyOf(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, "owner-link").subarray(0, LINK_KEY_BYTES)).toString("base64url");
}

/** Derives the key of an offer of ownership from its id and the server's secret, so that no key is stored. */
export function ownershipKeyOf(secret: Uint8Array, offerId: string): string {
  return linkKeyOf(secret, offerId);
}

/**
 * Returns the link that makes the signed-in account an owner. Browsers never send a fragment to a server, so that no
 * access log has the key.
 */
export function ownershipLink(publicUrl: string, key: string): string {
  return `${publicUrl}/become-owner#${new URLSearchParams({ key })}`;
}
