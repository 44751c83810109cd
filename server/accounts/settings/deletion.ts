import { setImmediate } from "node:timers/promises";
import type { DeletionRequest } from "#contract/accounts/account-settings.ts";
import { DAY, SECOND } from "#contract/limits.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { Config } from "../../config/config.ts";
import type { Database, Queryable, UserRow } from "../../database/schema.ts";
import { truncateLog } from "../../database/sqlite/truncate-log.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { Log } from "../../log.ts";
import type { MailFiles } from "../../mail/mail-files.ts";
import type { Outbox } from "../../mail/outbox.ts";
import { changeAccount } from "../account-changes-store.ts";
import type { AccountMails } from "../account-mails.ts";
import { holdUser } from "../account-store.ts";
import { admitAdministrator } from "../roles/admit-administrator.ts";
import { keepOwnerOfOthers } from "../roles/owners.ts";
import type { SecurityLog } from "../sessions/security-log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { type Change, type Changer, changeAs, commitChange } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";
import {
  AT_ONCE,
  countOfAccount,
  listAccounts,
  listToBeGone,
  markToBeGone,
  removeAccountRows,
  removeMessages,
  unmarkToBeGone,
} from "./deletion-store.ts";

/** A sign-in within this time cancels the deletion. */
const REGRET_MS = 14 * DAY;
/** Maximum time that the request waits for the removal; a longer one continues in the background. */
const TIMEOUT_MS = 3 * SECOND;

export type DeletionsDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  config: Pick<Config, "isSsoOnly">;
  mails: AccountMails;
  mailFiles: MailFiles;
  outbox: Outbox;
  securityLog: SecurityLog;
  sessions: Sessions;
};

type Mark = { deleteAt: number; files: number; client: Client };

/** Stops between two of its steps when `signal` aborts. */
export type RemovalListener = (userId: string, signal: AbortSignal) => Promise<void>;

/**
 * Deletes accounts. An account is first marked with a time; after it, all its data is removed in idempotent steps. A
 * removal that is interrupted by a kill or shutdown is completed by the next sweep of any server.
 */
export class Deletions implements AsyncDisposable {
  readonly #deps: DeletionsDeps;
  readonly #listeners: RemovalListener[] = [];
  readonly #removals = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(deps: DeletionsDeps) {
    this.#deps = deps;
  }

  /** Registers a listener that ends work for an account that is being removed. */
  onRemoving(listener: RemovalListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Signs the account out everywhere. The removal of much data may continue after this settles.
   * @throws Failure `last-owner`
   * @returns the time of the deletion, `null` if it is immediate
   */
  async ask({ isImmediate }: DeletionRequest, { identity, client }: Changer): Promise<number | null> {
    const { clock, mailFiles } = this.#deps;
    const { userId } = identity;
    const deleteAt = isImmediate ? AT_ONCE : clock.now() + REGRET_MS;
    const files = await mailFiles.count(userId);
    await changeAs(this.#deps, identity, "proof", async (change) => {
      await keepOwnerOfOthers(change.db, change.user);
      await this.#mark(change, change.user, { deleteAt, files, client });
    });
    if (!isImmediate) return deleteAt;
    await withTimeout(this.#begin(userId), TIMEOUT_MS);
    return null;
  }

  /**
   * Marks an account for immediate deletion by an administrator, and signs it out everywhere. {@link removeNow} or any
   * server's sweep removes it.
   * @returns whether the account exists
   * @throws Failure `last-owner`; `not-found`, `not-permitted` as of {@link admitAdministrator}
   */
  async markFor(userId: string, { actor, client }: { actor: string | null; client: Client }): Promise<boolean> {
    const files = await this.#deps.mailFiles.count(userId);
    return commitChange(this.#deps, async (change) => {
      const user = await holdUser(change.db, userId);
      if (!user) return false;
      await admitAdministrator(change.db, { actor, now: this.#deps.clock.now() }, user, "leave");
      await keepOwnerOfOthers(change.db, user);
      await this.#mark(change, user, { deleteAt: AT_ONCE, files, client });
      const at = this.#deps.clock.now();
      await recordAudit(change.db, { kind: "account-deletion-asked", at, actor, subject: userId });
      return true;
    });
  }

  /** Removes a marked account; settles when it is removed. @throws the error that prevented it */
  removeNow(userId: string): Promise<void> {
    return this.#remove(userId, this.#closing.signal);
  }

  async #mark(change: Change, held: UserRow, { deleteAt, files, client }: Mark): Promise<void> {
    const { mails, securityLog } = this.#deps;
    const { db } = change;
    const user = (await changeAccount(db, held.id, { delete_at: deleteAt })) ?? held;
    await securityLog.record(db, "deletion-asked", user.id, client);
    if (deleteAt === AT_ONCE) await this.#prepareReceipt(db, user, files);
    else await mails.sendNotice(db, user, "deletion-asked", client);
    await revokeTrust(this.#deps, change, "deletion-asked", { user, client });
  }

  /** Removes a marked account in the background. Never throws. */
  #begin(userId: string): Promise<void> {
    const removal = this.#remove(userId, this.#closing.signal)
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error, user: userId }, "account not removed yet, will be retried");
      })
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
    return removal;
  }

  /**
   * Cancels a scheduled deletion because of a sign-in.
   * @returns the current account
   * @throws Failure `wrong-credentials` if the deletion is due
   */
  async cancel(db: Queryable, user: UserRow, client: Client): Promise<UserRow> {
    const { clock, mails, securityLog } = this.#deps;
    if (user.delete_at === null) return user;
    const account = await unmarkToBeGone(db, user.id, clock.now());
    if (!account) throw new Failure("wrong-credentials");
    await securityLog.record(db, "deletion-cancelled", user.id, client);
    await mails.sendNotice(db, account, "deletion-cancelled", client);
    return account;
  }

  /**
   * Removes every account whose deletion is due, and files of removed accounts in this server's data folder. Stops
   * between two steps when `signal` aborts.
   */
  async removeDue(now: number, signal: AbortSignal): Promise<void> {
    const { database, log, mailFiles } = this.#deps;
    for (const userId of await listToBeGone(database, now)) {
      if (signal.aborted) return;
      await this.#remove(userId, signal).catch((error: unknown) => {
        log.error({ err: error, user: userId }, "account not removed, will be retried");
      });
    }
    await mailFiles.removeOthers((userIds) => listAccounts(database, userIds));
    await truncateLog(database);
  }

  /** Starts to remove accounts whose deletion is due; never throws. */
  removeDueSoon(): void {
    const { database, clock, log } = this.#deps;
    const begin = async () => {
      for (const userId of await listToBeGone(database, clock.now())) void this.#begin(userId);
    };
    const beginning: Promise<void> = begin()
      .catch((error: unknown) => log.error({ err: error }, "accounts not removed yet, will be retried"))
      .finally(() => this.#removals.delete(beginning));
    this.#removals.add(beginning);
  }

  async #remove(userId: string, signal: AbortSignal): Promise<void> {
    const { database, clock, log, mailFiles, outbox } = this.#deps;
    const files = await mailFiles.count(userId);
    const mailId = await database.transaction().execute(async (db) => {
      const user = await markToBeGone(db, userId, clock.now());
      return user && this.#prepareReceipt(db, user, files);
    });
    if (mailId === undefined) return;
    await this.#endWork(userId, signal);
    // Yields to the event loop, because SQLite queries are synchronous.
    while (!signal.aborted && (await removeMessages(database, userId))) await setImmediate();
    if (signal.aborted) return;
    await mailFiles.remove(userId);
    if (await removeAccountRows(database, userId, { mailId, now: clock.now() })) {
      log.info({ user: userId }, "account removed");
      outbox.notify();
    }
    // Ends replies that were started, and removes mails that were delivered, since the first pass.
    await this.#endWork(userId, signal);
    await mailFiles.remove(userId);
    await truncateLog(database);
  }

  async #endWork(userId: string, signal: AbortSignal): Promise<void> {
    for (const listener of this.#listeners) await listener(userId, signal);
  }

  /** Settles when all removals have stopped; the next sweep completes them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#removals);
  }

  /**
   * Counts before anything is removed, once: an interrupted removal that continues would count less.
   * @returns the mail's id
   */
  async #prepareReceipt(db: Queryable, user: UserRow, files: number): Promise<string> {
    const counts = await countOfAccount(db, user.id);
    return this.#deps.mails.prepareDeletionReceipt(db, user, { ...counts, mails: counts.mails + files });
  }
}
