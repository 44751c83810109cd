import { wellFormed } from "#contract/text/well-formed.ts";

// Each text here is bounded by the contract to 254 UTF-16 units, which bounds what normalising costs.

/** What usernames are compared by: two that differ in case only are one. */
export function usernameKeyOf(username: string): string {
  return wellFormed(username.normalize("NFC").toLowerCase());
}

/** What addresses are compared by. */
export function emailKeyOf(email: string): string {
  return wellFormed(email.normalize("NFC").toLowerCase());
}

/**
 * What an address's mails are counted by: most mail servers deliver `name+tag@` to the mailbox of `name@`, so these count
 * as one.
 */
export function mailboxKeyOf(email: string): string {
  const key = emailKeyOf(email);
  const at = key.lastIndexOf("@");
  const plus = key.indexOf("+");
  return plus > 0 && plus < at ? key.slice(0, plus) + key.slice(at) : key;
}

/** An address as it is stored and written to: host names have no case, the part before them may have one. */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return email.slice(0, at).normalize("NFC") + email.slice(at).toLowerCase();
}
