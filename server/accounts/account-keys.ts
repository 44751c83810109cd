import { wellFormed } from "#contract/text/well-formed.ts";

// The contract bounds each text here to 254 UTF-16 units, which bounds the cost of normalisation.

/** Returns the key by which usernames are compared, case-insensitively. */
export function usernameKeyOf(username: string): string {
  return wellFormed(username.normalize("NFC").toLowerCase());
}

/** Returns the key by which addresses are compared. */
export function emailKeyOf(email: string): string {
  return wellFormed(email.normalize("NFC").toLowerCase());
}

/**
 * Returns the key by which mails to an address are counted. Most mail servers deliver `name+tag@` to the mailbox of
 * `name@`, so both have the same key.
 */
export function mailboxKeyOf(email: string): string {
  const key = emailKeyOf(email);
  const at = key.lastIndexOf("@");
  const plus = key.indexOf("+");
  return plus > 0 && plus < at ? key.slice(0, plus) + key.slice(at) : key;
}

/** Returns an address as it is stored and written to. The host is case-insensitive, the local part may not be. */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return email.slice(0, at).normalize("NFC") + email.slice(at).toLowerCase();
}

/**
 * Subject of the limit of mails to a mailbox that other accounts cause: inviters and administrators, of which several
 * could flood it. It is separate from the mails that the address asks for itself: an invited person must be able to
 * register at once.
 */
export const mailboxOfOthers = (email: string) => `invited ${mailboxKeyOf(email)}`;

/** Returns the key by which names of groups are compared, case-insensitively. */
export function groupNameKeyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
