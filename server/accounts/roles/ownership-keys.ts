import { linkKeyOf } from "../mailed-keys/mailed-keys.ts";

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
