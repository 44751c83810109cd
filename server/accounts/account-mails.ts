import { DAY } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { newId } from "../database/new-id.ts";
import type { EmailKeyRow, Queryable, UserRow } from "../database/schema.ts";
import type { Client } from "../http/client.ts";
import type { Limits } from "../limits/limits.ts";
import { findMailOfAccount } from "../mail/mail-store.ts";
import type { AccountNotice, RemovedKind } from "../mail/notice-letters.ts";
import type { Outbox } from "../mail/outbox.ts";
import { type KeyTemplate, templates } from "./account-letters.ts";
import { endEmailKeys, findDeviceOfKey, noteDeviceOfKey, replaceEmailKey } from "./mailed-keys/email-key-store.ts";
import { hashMailedKey, keyLivesMs, mailedKeyOf } from "./mailed-keys/mailed-keys.ts";

/** For as long the outbox tries to send. */
const DELIVERY_LIFE_MS = DAY;

export type AccountMailsDeps = { outbox: Outbox; clock: Clock; keySecret: Uint8Array; limits: Limits };

type NewKey = Pick<EmailKeyRow, "user_id" | "purpose"> & Partial<Pick<EmailKeyRow, "address" | "device">>;

/** Tells people about their accounts by mail. All is written in the caller's transaction. */
export class AccountMails {
  readonly #deps: AccountMailsDeps;

  constructor(deps: AccountMailsDeps) {
    this.#deps = deps;
  }

  /** Mails its key to an account that was registered just now, in that browser. */
  async sendVerification(db: Queryable, { id }: UserRow, device: string | null): Promise<void> {
    await this.#sendKey(db, templates.verifyEmail, { user_id: id, purpose: "verify-email", device });
  }

  /** Mails a new key to a pending account; earlier ones are ended, and so are their mails that still wait. */
  async resendVerification(db: Queryable, { id }: UserRow): Promise<void> {
    const device = await findDeviceOfKey(db, id, "verify-email");
    await this.#sendKey(db, templates.verifyEmail, { user_id: id, purpose: "verify-email", device });
  }

  /** The right password of an account was typed in that browser, and may be a stranger's: keys to come are for it. */
  async noteTyped(db: Queryable, { id }: UserRow, device: string | null): Promise<void> {
    const key: NewKey = { user_id: id, purpose: "confirm-password", device };
    await noteDeviceOfKey(db, this.#newRow(key));
  }

  /** Mails a key to such an account; used in the browser of {@link noteTyped}, it confirms the password. */
  async sendPasswordConfirmation(db: Queryable, { id }: UserRow): Promise<void> {
    const device = await findDeviceOfKey(db, id, "confirm-password");
    await this.#sendKey(db, templates.confirmPassword, { user_id: id, purpose: "confirm-password", device });
  }

  /** Mails a key that sets a new password. */
  async sendPasswordReset(db: Queryable, { id }: UserRow): Promise<void> {
    await this.#sendKey(db, templates.resetPassword, { user_id: id, purpose: "reset-password" });
  }

  /** Mails a key to the address that an account is to have; `device`: the browser that asks for it. */
  async sendEmailConfirmation(db: Queryable, { id }: UserRow, address: string, device: string | null): Promise<void> {
    await this.#sendKey(db, templates.changeEmail, { user_id: id, purpose: "change-email", address, device });
  }

  /**
   * Notes, as {@link sendEmailConfirmation} does, which address an account is to have, but mails nobody the key:
   * somebody else's it is, which whoever asks must not see.
   */
  async holdEmailConfirmation(db: Queryable, { id }: UserRow, address: string): Promise<void> {
    await this.#makeKey(db, { user_id: id, purpose: "change-email", address });
  }

  /** Tells the address that an account had before, with a key that gives it back. */
  async sendEmailChanged(db: Queryable, { id }: UserRow, oldAddress: string, client: Client): Promise<void> {
    const key: NewKey = { user_id: id, purpose: "undo-email", address: oldAddress };
    await this.#sendKey(db, templates.emailChanged, key, this.#doing(client));
  }

  /** Tells the owner of a verified account that its address was used to register once more. */
  async sendAlreadyHaveAccount(db: Queryable, owner: UserRow): Promise<void> {
    await this.#deps.outbox.enqueue(db, { template: templates.alreadyHaveAccount, userId: owner.id });
  }

  /**
   * Tells an account's owner what was done to it, and from where. It goes to the address that the account has now, also
   * if that is changed before the mail is sent. Who does the same over and over fills no mailbox: the security log tells
   * the rest.
   */
  async sendNotice(db: Queryable, user: UserRow, kind: AccountNotice, client: Client): Promise<void> {
    const limit = kind === "new-device" ? "new-device-notice" : "notice";
    if (!(await this.#deps.limits.allows(db, limit, `${user.id} ${kind}`))) return;
    const params = { kind, to: user.email, ...this.#doing(client) };
    await this.#deps.outbox.enqueue(db, { template: templates.notice, userId: user.id, params });
  }

  /**
   * Writes the last mail to an account's owner, which waits for the account's end; once.
   * @param counts how many of what there is
   * @returns the mail's id
   */
  async prepareDeletionReceipt(
    db: Queryable,
    user: UserRow,
    counts: Readonly<Record<RemovedKind, number>>,
  ): Promise<string> {
    const template = templates.deletionReceipt;
    const prepared = await findMailOfAccount(db, user.id, template);
    if (prepared) return prepared.id;
    const params = { to: user.email, username: user.username, counts: JSON.stringify(counts) };
    return this.#deps.outbox.enqueue(db, { template, userId: user.id, params, isHeld: true });
  }

  /** Does the work of a mail that goes to nobody, so that time does not tell whether there was somebody. */
  async sendNothing(db: Queryable): Promise<void> {
    await endEmailKeys(db, newId(), ["verify-email"]);
    await this.#deps.outbox.enqueue(db, { template: templates.none, userId: null });
  }

  async #sendKey(db: Queryable, template: KeyTemplate, key: NewKey, params: Record<string, string> = {}) {
    const keyId = await this.#makeKey(db, key);
    await this.#deps.outbox.enqueue(db, { template, userId: key.user_id, params: { ...params, keyId } });
  }

  async #makeKey(db: Queryable, key: NewKey): Promise<string> {
    const row = this.#newRow(key);
    await replaceEmailKey(db, row);
    return row.id;
  }

  #newRow({ address = null, device = null, ...key }: NewKey): EmailKeyRow {
    const { clock, keySecret } = this.#deps;
    const id = newId();
    const hash = hashMailedKey(mailedKeyOf(keySecret, id));
    const expires_at = clock.now() + DELIVERY_LIFE_MS + keyLivesMs[key.purpose];
    return { ...key, id, hash, expires_at, address, device };
  }

  #doing({ userAgent, ip }: Client): Record<string, string> {
    return { at: String(this.#deps.clock.now()), userAgent, ip };
  }
}
