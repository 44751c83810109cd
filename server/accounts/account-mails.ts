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

/** Time for the delivery of a mail, added to the lifetime of its key; longer than the retries of the outbox. */
const DELIVERY_LIFE_MS = DAY;

export type AccountMailsDeps = { outbox: Outbox; clock: Clock; keySecret: Uint8Array; limits: Limits };

type NewKey = Pick<EmailKeyRow, "user_id" | "purpose"> & Partial<Pick<EmailKeyRow, "address" | "device">>;

/** Queues the mails about accounts, in the caller's transaction. */
export class AccountMails {
  readonly #deps: AccountMailsDeps;

  constructor(deps: AccountMailsDeps) {
    this.#deps = deps;
  }

  /** Mails the verification key of a new account; `device` is the browser that registered. */
  async sendVerification(db: Queryable, { id }: UserRow, device: string | null): Promise<void> {
    await this.#sendKey(db, templates.verifyEmail, { user_id: id, purpose: "verify-email", device });
  }

  /** Mails a new key to a pending account. Earlier keys and their unsent mails are removed. */
  async resendVerification(db: Queryable, { id }: UserRow): Promise<void> {
    const device = await findDeviceOfKey(db, id, "verify-email");
    await this.#sendKey(db, templates.verifyEmail, { user_id: id, purpose: "verify-email", device });
  }

  /** Stores in which browser the right password was typed, which may be an attacker's: later keys are bound to it. */
  async noteTyped(db: Queryable, { id }: UserRow, device: string | null): Promise<void> {
    const key: NewKey = { user_id: id, purpose: "confirm-password", device };
    await noteDeviceOfKey(db, this.#newRow(key));
  }

  /** Mails a key that confirms the password when it is used in the browser of {@link noteTyped}. */
  async sendPasswordConfirmation(db: Queryable, { id }: UserRow): Promise<void> {
    const device = await findDeviceOfKey(db, id, "confirm-password");
    await this.#sendKey(db, templates.confirmPassword, { user_id: id, purpose: "confirm-password", device });
  }

  /** Mails a key that sets a new password. */
  async sendPasswordReset(db: Queryable, { id }: UserRow): Promise<void> {
    await this.#sendKey(db, templates.resetPassword, { user_id: id, purpose: "reset-password" });
  }

  /** Makes a key that signs in, which the operator prints instead of mailing it. */
  async makeSignInKey(db: Queryable, { id }: UserRow): Promise<{ key: string; expiresAt: number }> {
    const { clock, keySecret } = this.#deps;
    const expiresAt = clock.now() + keyLivesMs["sign-in"];
    const row = { ...this.#newRow({ user_id: id, purpose: "sign-in" }), expires_at: expiresAt };
    await replaceEmailKey(db, row);
    return { key: mailedKeyOf(keySecret, row.id), expiresAt };
  }

  /** Mails a key to the new address of an account; `device`: the browser that requested it. */
  async sendEmailConfirmation(db: Queryable, { id }: UserRow, address: string, device: string | null): Promise<void> {
    await this.#sendKey(db, templates.changeEmail, { user_id: id, purpose: "change-email", address, device });
  }

  /**
   * Stores the new address like {@link sendEmailConfirmation}, but sends no key because the address belongs to another
   * account. The requester cannot see the difference.
   */
  async holdEmailConfirmation(db: Queryable, { id }: UserRow, address: string): Promise<void> {
    await this.#makeKey(db, { user_id: id, purpose: "change-email", address });
  }

  /** Mails a notice to the account's former address, with a key that restores it. */
  async sendEmailChanged(db: Queryable, { id }: UserRow, oldAddress: string, client: Client): Promise<void> {
    const key: NewKey = { user_id: id, purpose: "undo-email", address: oldAddress };
    await this.#sendKey(db, templates.emailChanged, key, this.#doing(client));
  }

  /** Mails a key with which the owner reports the second factor as lost. */
  async sendFactorLoss(db: Queryable, { id }: UserRow): Promise<void> {
    await this.#sendKey(db, templates.loseFactor, { user_id: id, purpose: "lose-factor" });
  }

  /** Mails that the second factor ends, with a key that stops it. */
  async sendFactorEnds(db: Queryable, { id }: UserRow, client: Client): Promise<void> {
    await this.#sendKey(db, templates.factorEnds, { user_id: id, purpose: "keep-factor" }, this.#doing(client));
  }

  /** Mails the owner of a verified account that its address was used for another registration. */
  async sendAlreadyHaveAccount(db: Queryable, owner: UserRow): Promise<void> {
    await this.#deps.outbox.enqueue(db, { template: templates.alreadyHaveAccount, userId: owner.id });
  }

  /**
   * Mails the account's owner about an action on the account and its origin. The mail goes to the address that the
   * account has when it is sent. Repeated notices are rate-limited, so that they cannot flood a mailbox; the security
   * log has all of them.
   */
  async sendNotice(db: Queryable, user: UserRow, kind: AccountNotice, client: Client): Promise<void> {
    const limit = kind === "new-device" ? "new-device-notice" : "notice";
    if (!(await this.#deps.limits.allows(db, limit, `${user.id} ${kind}`))) return;
    const params = { kind, to: user.email, ...this.#doing(client) };
    await this.#deps.outbox.enqueue(db, { template: templates.notice, userId: user.id, params });
  }

  /**
   * Queues once the last mail to an account's owner, which is sent after the account is removed.
   * @param counts number of items of each kind
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

  /**
   * Does the same work as a mail, without a recipient, so that response times do not reveal whether the account exists.
   */
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
