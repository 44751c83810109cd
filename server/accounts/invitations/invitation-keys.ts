import { createHmac, randomBytes } from "node:crypto";
import { CLASS_CODE_ALPHABET, CLASS_CODE_LENGTH } from "#contract/administration/class-codes.ts";
import { linkKeyOf } from "../mailed-keys/mailed-keys.ts";

/** Derives the key of an invitation's link from its id and the server's secret, so that no key is stored. */
export function invitationKeyOf(secret: Uint8Array, invitationId: string): string {
  return linkKeyOf(secret, invitationId);
}

/** Returns the link of an invitation. Browsers never send a fragment to a server, so that no access log has the key. */
export function invitationLink(publicUrl: string, key: string): string {
  return `${publicUrl}/register#${new URLSearchParams({ invitation: key })}`;
}

/** Returns a random class code of 40 bits. */
export function newClassCode(): string {
  return Array.from(
    randomBytes(CLASS_CODE_LENGTH),
    (byte) => CLASS_CODE_ALPHABET[byte % CLASS_CODE_ALPHABET.length],
  ).join("");
}

/** Returns the hash of a class code, as the database stores it. Without the secret, its 40 bits cannot be found by trials. */
export function hashClassCode(secret: Uint8Array, code: string): string {
  return createHmac("sha256", secret).update(code).digest("hex");
}
