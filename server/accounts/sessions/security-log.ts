import { SECURITY_LOG_PAGE, type SecurityEventKind } from "#contract/accounts/sessions.ts";
import { MINUTE } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { afterCommit } from "../../database/after-commit.ts";
import { newId } from "../../database/new-id.ts";
import type { Queryable, SecurityEventRow } from "../../database/schema.ts";
import { isForeignKeyViolation } from "../../database/violations.ts";
import type { Client } from "../../http/client.ts";
import { countOne, wasCounted } from "../../limits/limit-store.ts";
import type { Log } from "../../log.ts";
import { insertSecurityEvent, listSecurityEvents } from "./security-log-store.ts";

type SecurityLogDeps = { clock: Clock; log: Log };

/** An event that others can cause as often as they like; `about`: key by which its row is limited to one a minute. */
export type RepeatedEvent = { kind: SecurityEventKind; userId: string | null; about: string };

/** Logs events of an account: a row for its owner, and a log line for the administrator. */
export class SecurityLog {
  readonly #deps: SecurityLogDeps;

  constructor(deps: SecurityLogDeps) {
    this.#deps = deps;
  }

  /**
   * Must be called in the transaction of the event; the log line follows its commit. `userId` is null if no account has
   * the tried name.
   */
  async record(db: Queryable, kind: SecurityEventKind, userId: string | null, client: Client): Promise<void> {
    afterCommit(db, () => this.#writeLine(kind, userId, client));
    if (userId === null) return;
    const { ip, userAgent: user_agent } = client;
    await insertSecurityEvent(db, { id: newId(), user_id: userId, kind, at: this.#deps.clock.now(), ip, user_agent });
  }

  /** Writes a log line each time, but a row at most once a minute. */
  async recordNowAndThen(db: Queryable, { kind, userId, about }: RepeatedEvent, client: Client): Promise<void> {
    const key = `${kind} ${about}`;
    const now = this.#deps.clock.now();
    const once = { key, times: 1, windowMs: MINUTE, now };
    const isFirst = !(await wasCounted(db, key, now, MINUTE)) && (await countOne(db, once)).isAllowed;
    if (!isFirst) return this.#writeLine(kind, userId, client);
    await this.record(db, kind, userId, client).catch((error: unknown) => {
      // The account was removed meanwhile.
      if (!isForeignKeyViolation(error)) throw error;
    });
  }

  /** Returns a page, newest first; `before`: id of the last event of the page before. */
  list(db: Queryable, userId: string, before: string | undefined): Promise<SecurityEventRow[]> {
    return listSecurityEvents(db, userId, { before, limit: SECURITY_LOG_PAGE });
  }

  #writeLine(event: SecurityEventKind, userId: string | null, { ip }: Client): void {
    this.#deps.log.info({ event, ip, ...(userId !== null && { user: userId }) }, "security");
  }
}
