import type { Queryable, UserRow } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { changeAccount } from "../account-changes-store.ts";
import type { AccountMails } from "../account-mails.ts";
import { knowsDevice } from "../sessions/device-store.ts";

/**
 * Returns whether a mailed key is used in the browser to which it is bound. It decides whether the account's password
 * is confirmed as its owner's, because an attacker may have registered with an address that is not theirs:
 *
 * | event                                  | password is confirmed in                | unconfirmed in       |
 * | -------------------------------------- | --------------------------------------- | -------------------- |
 * | a registration's key is used           | the browser that registered, programs   | any other browser    |
 * | an unconfirmed password is typed right | browsers that the account knows         | all others: refused  |
 * | the key that is mailed then is used    | the browser where it was typed, programs| any other browser    |
 * | a new password is set                  | any client                              |                      |
 * | the key for a new address is used      | no change: requesting or known, programs| any other browser    |
 *
 * A key is always bound to a browser in which the password itself was typed; a request to mail a key again does not
 * change that. Programs have no device cookie, and no link can make a user run one.
 */
export function isOwnKey(client: Pick<Client, "isBrowser" | "device">, deviceOfKey: string | null): boolean {
  return !client.isBrowser || (client.device !== null && client.device === deviceOfKey);
}

/** {@link isOwnKey}, or used in a browser that the account knows. */
export async function isFamiliar(
  db: Queryable,
  userId: string,
  client: Client,
  deviceOfKey: string | null,
): Promise<boolean> {
  return isOwnKey(client, deviceOfKey) || (await isKnown(db, userId, client));
}

export function hasUnconfirmedPassword(user: Pick<UserRow, "password_hash" | "password_confirmed">): boolean {
  return user.password_hash !== null && user.password_confirmed === 0;
}

/**
 * Decides about the right password of a verified account.
 * @returns the account, with its password confirmed; null if it stays unconfirmed. A mailed key that is used in this
 * browser then confirms it.
 */
export async function admitPassword(
  mails: AccountMails,
  db: Queryable,
  user: UserRow,
  client: Client,
): Promise<UserRow | null> {
  if (!hasUnconfirmedPassword(user)) return user;
  if (await isKnown(db, user.id, client)) return confirmPassword(db, user);
  await mails.noteTyped(db, user, client.device);
  return null;
}

export async function confirmPassword(db: Queryable, user: UserRow): Promise<UserRow> {
  return (await changeAccount(db, user.id, { password_confirmed: 1 })) ?? user;
}

async function isKnown(db: Queryable, userId: string, { device }: Client): Promise<boolean> {
  return device !== null && knowsDevice(db, userId, device);
}
