import { setTimeout as pause } from "node:timers/promises";
import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { newId } from "../database/new-id.ts";
import type { Database, MailRow, Queryable } from "../database/schema.ts";
import type { Log } from "../log.ts";
import type { Letter } from "./letter.ts";
import {
  claimDueMail,
  countFailed,
  countWaiting,
  findMail,
  HELD,
  insertMail,
  markFailed,
  markSent,
  postponeMail,
  removeSettledMails,
} from "./mail-store.ts";
import { MailRefused, type Transport } from "./transport.ts";

const FIRST_WAIT_MS = 10 * SECOND;
const LONGEST_WAIT_MS = 10 * MINUTE;
/** Time after which a mail that could not be delivered is given up. */
const LIFE_MS = DAY;
/** Lease of a mail during an attempt, longer than any attempt. If the process dies, any process retries afterwards. */
const LEASE_MS = 5 * MINUTE;
/** Tolerated difference between the clocks of servers; a larger one is treated as a clock that was set back. */
const CLOCK_SLACK_MS = MINUTE;
/** Time for which a failed mail is counted. */
export const FAILED_LIFE_MS = 7 * DAY;
const POLL_MS = 10 * SECOND;
const CHECK_MS = SECOND / 4;
const RESULT_WAIT_MS = 10 * SECOND;
const MAX_LANES = 4;
const CLOSING_GRACE_MS = 3 * SECOND;

/**
 * Composes the letter for a row at each attempt, so that the database never holds its secrets. Returns `null` if there
 * is nothing left to report.
 */
export type Compose = (db: Database, mail: MailRow, now: number) => Promise<Letter | null>;

/** `params`: values for the template besides the account, never keys. `isHeld`: not due until it is released. */
export type NewMail = { template: string; userId: string | null; params?: Record<string, string>; isHeld?: boolean };

export type OutboxDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  compose: Compose;
  /** If missing, mails are only enqueued, and another process delivers them. */
  transport?: Transport;
};

/**
 * Transactional outbox: a mail is a row, written in the transaction of the event that it reports. Delivery is retried
 * with exponential backoff until the mail server accepts the mail.
 */
export class Outbox implements AsyncDisposable {
  readonly #deps: OutboxDeps;
  readonly #closing = new AbortController();
  readonly #lanes = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #notifications = 0;
  #busyLanes = 0;
  #isClosing = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#fillLanes(), POLL_MS).unref();
  }

  /** Enqueues a mail in the transaction of its event; call {@link notify} after the commit. @returns the mail's id */
  async enqueue(db: Queryable, { template, userId, params = {}, isHeld = false }: NewMail): Promise<string> {
    const now = this.#deps.clock.now();
    const id = newId();
    await insertMail(db, {
      id,
      template,
      user_id: userId,
      params: JSON.stringify(params),
      created_at: now,
      attempts: 0,
      next_attempt_at: isHeld ? HELD : now,
      sent_at: null,
      failed_at: null,
    });
    return id;
  }

  /**
   * Wakes up the delivery of enqueued mails, after the response of the current request. Otherwise the response time
   * would reveal whether there is a recipient (timing side channel).
   */
  notify(): void {
    this.#notifications++;
    setImmediate(() => this.#startLane());
  }

  /** Attempts to deliver all due mails; resolves when no due mail is left. */
  async deliverDue(): Promise<void> {
    this.#notifications++;
    this.#fillLanes();
    await Promise.all(this.#lanes);
  }

  /**
   * Waits until a mail is settled, up to ten seconds.
   * @returns `sent`, `refused` for good, or `waiting` for a first or a further attempt
   */
  async waitFor(mailId: string): Promise<"sent" | "refused" | "waiting"> {
    for (let waitedMs = 0; ; waitedMs += CHECK_MS) {
      const mail = await findMail(this.#deps.database, mailId);
      // A sweep has removed it.
      if (!mail || mail.sent_at !== null) return "sent";
      if (mail.failed_at !== null) return "refused";
      // During an attempt the lease is longer than the first wait.
      const hasFailed = mail.attempts > 0 && mail.next_attempt_at <= this.#deps.clock.now() + FIRST_WAIT_MS;
      if (hasFailed || waitedMs >= RESULT_WAIT_MS || this.#isClosing) return "waiting";
      await pause(CHECK_MS);
    }
  }

  /** Returns the number of undelivered mails, and the age of the oldest one in ms. */
  async backlog(): Promise<{ count: number; ageMs: number }> {
    const { count, oldestAt } = await countWaiting(this.#deps.database);
    return { count, ageMs: oldestAt === null ? 0 : Math.max(0, this.#deps.clock.now() - oldestAt) };
  }

  /** Returns the number of mails that were given up in the last {@link FAILED_LIFE_MS}. */
  async failures(): Promise<number> {
    return countFailed(this.#deps.database, this.#deps.clock.now() - FAILED_LIFE_MS);
  }

  async removeSettled(): Promise<void> {
    await removeSettledMails(this.#deps.database, this.#deps.clock.now() - FAILED_LIFE_MS);
  }

  #fillLanes(): void {
    for (let lane = 0; lane < MAX_LANES; lane++) this.#startLane();
  }

  #startLane(): void {
    if (!this.#deps.transport || this.#isClosing || this.#busyLanes >= MAX_LANES) return;
    this.#busyLanes++;
    const lane = this.#work()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "mails could not be delivered"))
      .finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  async #work(): Promise<void> {
    try {
      let seen: number;
      do {
        seen = this.#notifications;
        while (!this.#isClosing && (await this.#deliverNext()));
        // A mail may have been enqueued after this lane's last query, while all other lanes were busy.
      } while (seen !== this.#notifications && !this.#isClosing);
    } finally {
      this.#busyLanes--;
    }
  }

  /** Attempts to deliver one due mail; returns whether there was one. */
  async #deliverNext(): Promise<boolean> {
    const { database, clock, compose, transport } = this.#deps;
    if (!transport) return false;
    const now = clock.now();
    const mail = await claimDueMail(database, {
      now,
      leaseUntil: now + LEASE_MS,
      latest: now + LONGEST_WAIT_MS + CLOCK_SLACK_MS,
    });
    if (!mail) return false;
    try {
      const letter = await compose(database, mail, now);
      if (letter) await transport.send(letter, mail, this.#closing.signal);
    } catch (error) {
      await this.#handleFailure(mail, error);
      return true;
    }
    await markSent(database, mail.id, clock.now());
    return true;
  }

  /** Log lines contain the row's id only, because responses of mail servers repeat addresses. */
  async #handleFailure(mail: MailRow, error: unknown): Promise<void> {
    const { database, clock, log } = this.#deps;
    const details = { mail: mail.id, template: mail.template, attempts: mail.attempts, ...codesOf(error) };
    const now = clock.now();
    if (error instanceof MailRefused) {
      log.error(details, "mail refused permanently by the mail server");
      return markFailed(database, mail.id, now);
    }
    if (this.#closing.signal.aborted) return postponeMail(database, mail.id, now);
    const nextAttemptAt = now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (mail.attempts - 1));
    if (nextAttemptAt > mail.created_at + LIFE_MS) {
      log.error(details, "mail abandoned after a day of attempts");
      return markFailed(database, mail.id, now);
    }
    log.warn(details, "mail not delivered, will be retried");
    return postponeMail(database, mail.id, nextAttemptAt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    const grace = setTimeout(() => this.#closing.abort(), CLOSING_GRACE_MS);
    await Promise.all(this.#lanes);
    clearTimeout(grace);
  }
}

function codesOf(error: unknown): Record<string, unknown> {
  const cause = error instanceof MailRefused ? error.cause : error;
  if (!(cause instanceof Error)) return {};
  return {
    error: cause.name,
    ...("code" in cause && { code: cause.code }),
    ...("responseCode" in cause && { smtpStatus: cause.responseCode }),
  };
}
