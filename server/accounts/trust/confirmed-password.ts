import type { Queryable, UserRow } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import { changeAccount } from "../account-changes-store.ts";
import type { AccountMails } from "../account-mails.ts";
import { knowsDevice } from "../sessions/device-store.ts";

/**
 * Whether a password is the account owner's for certain, or a stranger may have chosen it who registered with an address
 * that is not theirs. What makes it so, and what leaves it in doubt:
 *
 * | what happens                          | the owner's in                          | in doubt in        |
 * | ------------------------------------- | --------------------------------------- | ------------------ |
 * | the key of a registration is used     | the browser that registered, programs   | any other browser  |
 * | the right, doubtful password is typed | browsers that the account knows         | all else; kept out |
 * | the key of the mail after that is used| the browser where it was typed, programs| any other browser  |
 * | a new password is set                 | wherever                                |                    |
 * | the key for a new address is used     | no change: the asker's, known, programs | any other browser  |
 *
 * So the browser that counts is always one in which the password itself was typed; who only asks for a mail once more
 * changes nothing. Programs keep nothing by which they could be told apart, and nobody can be made to run one by a link.
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
 * Judges the right password of a verified account.
 * @returns the account, in which it is confirmed; null where it stays in doubt: then only a key helps that is mailed on
 * demand and used in this browser
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
