import type { DeletionRequest } from "#contract/account-settings.ts";
import { DAY, SECOND } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
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

/** In which a sign-in undoes it. */
const REGRET_MS = 14 * DAY;
/** So long its owner waits for an account to be removed; what takes longer goes on by itself. */
const TIMEOUT_MS = 3 * SECOND;

export type DeletionsDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  mails: AccountMails;
  mailFiles: MailFiles;
  outbox: Outbox;
  securityLog: SecurityLog;
  sessions: Sessions;
};

type Mark = { deleteAt: number; files: number; client: Client };

/** Ends between two of its steps once `signal` aborts. */
export type RemovalListener = (userId: string, signal: AbortSignal) => Promise<void>;

/**
 * Accounts that their owners want gone. First an account is marked, with a time; past it, everything of it is removed in
 * steps, each of which may be done again: whatever a kill or a shutdown leaves is finished by the next sweep, of any server.
 */
export class Deletions implements AsyncDisposable {
  readonly #deps: DeletionsDeps;
  readonly #listeners: RemovalListener[] = [];
  readonly #removals = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(deps: DeletionsDeps) {
    this.#deps = deps;
  }

  /** Is to end what still works for an account that goes. */
  onRemoving(listener: RemovalListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Signs the account out everywhere. One that has much may be removed for a while yet after this has settled.
   * @returns when it will be gone, `null` where that is now
   */
  async ask({ isImmediate }: DeletionRequest, { identity, client }: Changer): Promise<number | null> {
    const { clock, mailFiles } = this.#deps;
    const { userId } = identity;
    const deleteAt = isImmediate ? AT_ONCE : clock.now() + REGRET_MS;
    const files = await mailFiles.count(userId);
    await changeAs(this.#deps, identity, "proof", (change) =>
      this.#mark(change, change.user, { deleteAt, files, client }),
    );
    if (!isImmediate) return deleteAt;
    await withTimeout(this.#begin(userId), TIMEOUT_MS);
    return null;
  }

  /**
   * Marks an account to go at once, as the administrator wants it, and signs it out everywhere. {@link removeNow} or any
   * server's sweep removes it. @returns whether there is such an account
   */
  async markFor(userId: string, client: Client): Promise<boolean> {
    const files = await this.#deps.mailFiles.count(userId);
    return commitChange(this.#deps, async (change) => {
      const user = await holdUser(change.db, userId);
      if (user) await this.#mark(change, user, { deleteAt: AT_ONCE, files, client });
      return user !== undefined;
    });
  }

  /** Removes an account that is marked; settles when it is gone. @throws what kept it from being removed */
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

  /** Removes an account that is marked, by itself. Never throws. */
  #begin(userId: string): Promise<void> {
    const removal = this.#remove(userId, this.#closing.signal)
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error, user: userId }, "account not removed yet, to be tried again");
      })
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
    return removal;
  }

  /**
   * Somebody signs in to an account: it stays.
   * @returns the account as it is then
   * @throws Failure `wrong-credentials` where its time is over
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
   * Removes every account whose time is over, and in this server's data folder what others have left behind. Ends
   * between two steps once `signal` aborts.
   */
  async removeDue(now: number, signal: AbortSignal): Promise<void> {
    const { database, log, mailFiles } = this.#deps;
    for (const userId of await listToBeGone(database, now)) {
      if (signal.aborted) return;
      await this.#remove(userId, signal).catch((error: unknown) => {
        log.error({ err: error, user: userId }, "account not removed, to be tried again");
      });
    }
    await mailFiles.removeOthers((userIds) => listAccounts(database, userIds));
    await truncateLog(database);
  }

  /** Begins to remove accounts whose time is over; never throws. */
  removeDueSoon(): void {
    const { database, clock, log } = this.#deps;
    const begin = async () => {
      for (const userId of await listToBeGone(database, clock.now())) void this.#begin(userId);
    };
    const beginning: Promise<void> = begin()
      .catch((error: unknown) => log.error({ err: error }, "accounts not removed yet, to be tried again"))
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
    while (!signal.aborted && (await removeMessages(database, userId)));
    if (signal.aborted) return;
    await mailFiles.remove(userId);
    if (await removeAccountRows(database, userId, { mailId, now: clock.now() })) {
      log.info({ user: userId }, "account removed");
      outbox.notify();
    }
    // Ends replies that began, and removes mails that were delivered, since the first pass.
    await this.#endWork(userId, signal);
    await mailFiles.remove(userId);
    await truncateLog(database);
  }

  async #endWork(userId: string, signal: AbortSignal): Promise<void> {
    for (const listener of this.#listeners) await listener(userId, signal);
  }

  /** Settles when no removal that was asked for is under way any more; the rest of one is left to the next sweep. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#removals);
  }

  /** Counts before anything is removed, once: a removal that is gone on with finds less. @returns the mail's id */
  async #prepareReceipt(db: Queryable, user: UserRow, files: number): Promise<string> {
    const counts = await countOfAccount(db, user.id);
    return this.#deps.mails.prepareDeletionReceipt(db, user, { ...counts, mails: counts.mails + files });
  }
}
