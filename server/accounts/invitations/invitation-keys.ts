import { linkKeyOf } from "../mailed-keys/mailed-keys.ts";

/** Derives the key of an invitation's link from its id and the server's secret, so that no key is stored. */
export function invitationKeyOf(secret: Uint8Array, invitationId: string): string {
  return linkKeyOf(secret, invitationId);
}

/** Returns the link of an invitation. Browsers never send a fragment to a server, so that no access log has the key. */
export function invitationLink(publicUrl: string, key: string): string {
  return `${publicUrl}/register#${new URLSearchParams({ invitation: key })}`;
}
