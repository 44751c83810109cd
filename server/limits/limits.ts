import { createHmac } from "node:crypto";
import type { ErrorCode } from "#contract/errors.ts";
import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { addCount, countBack, countOne, findFull } from "./limit-store.ts";
import { siteOf } from "./networks.ts";

/** Limits per subject (a network, mailbox, account or session) and window. */
export const limits = {
  // Wrong passwords; the two limits below count right ones.
  "sign-in": { times: 10, windowMs: MINUTE },
  "account-sign-in": { times: 60, windowMs: MINUTE },
  "network-sign-in": { times: 300, windowMs: MINUTE },
  "sign-up": { times: 100, windowMs: HOUR },
  "name-look-up": { times: 20, windowMs: MINUTE },
  mail: { times: 100, windowMs: HOUR },
  "mail-to-address-minute": { times: 1, windowMs: MINUTE },
  "mail-to-address-hour": { times: 5, windowMs: HOUR },
  "key-try": { times: 30, windowMs: MINUTE },
  "invitation-mail": { times: 20, windowMs: HOUR },
  "test-mail": { times: 10, windowMs: HOUR },
  google: { times: 20, windowMs: MINUTE },
  "name-change": { times: 30, windowMs: HOUR },
  "new-device-notice": { times: 1, windowMs: HOUR },
  notice: { times: 5, windowMs: HOUR },
  chat: { times: 60, windowMs: MINUTE },
  // A browser retries a send that waits for another reply about once a second, in each tab.
  "refused-send": { times: 600, windowMs: MINUTE },
  message: { times: 240, windowMs: MINUTE },
  stop: { times: 240, windowMs: MINUTE },
  change: { times: 600, windowMs: MINUTE },
  "account-change": { times: 120, windowMs: MINUTE },
  "provider-test": { times: 10, windowMs: MINUTE },
  export: { times: 60, windowMs: HOUR },
  import: { times: 120, windowMs: MINUTE },
  preset: { times: 60, windowMs: MINUTE },
  // Seconds in which documents of an account are read: some hundred large ones.
  "document-reading": { times: 120, windowMs: HOUR },
  // One search for each keystroke.
  search: { times: 600, windowMs: MINUTE },
} as const;
export type LimitName = keyof typeof limits;

/** A hoster may give an IPv6 network of 48 bits to one customer; its limits are this factor times those of 64 bits. */
const SITE_FACTOR = 16;

export type LimitsDeps = { database: Database; clock: Clock; key: Uint8Array; isOn: boolean };

/** Rate limits, counted in the database: shared by all processes, and not reset by a kill. */
export class Limits {
  readonly #deps: LimitsDeps;

  constructor(deps: LimitsDeps) {
    this.#deps = deps;
  }

  /**
   * Counts one attempt before the work is done.
   * @param subject `networkOf` an address, a mailbox's key, or an account's id
   * @returns a function that takes the count back, for attempts that turn out not to count
   * @throws Failure `too-many-requests` with the time until the next attempt
   */
  async take(name: LimitName, subject: string): Promise<() => Promise<void>> {
    const { database, clock, isOn } = this.#deps;
    if (!isOn) return async () => {};
    const { times, windowMs } = limits[name];
    const site = siteOf(subject);
    const counted = [{ subject, times }, ...(site === null ? [] : [{ subject: site, times: times * SITE_FACTOR }])];
    const taken: (() => Promise<void>)[] = [];
    const giveBack = async () => {
      for (const one of taken) await one();
    };
    for (const { subject: each, times: allowed } of counted) {
      const now = clock.now();
      const key = this.#keyOf(name, each);
      const { isAllowed, resetsAt } = await countOne(database, { key, times: allowed, windowMs, now });
      if (!isAllowed) {
        await giveBack();
        throw new Failure("too-many-requests", { retryAfterSeconds: (resetsAt - now) / SECOND });
      }
      taken.push(() => countBack(database, key, resetsAt));
    }
    return giveBack;
  }

  /** Counts one in the caller's transaction, even if limits are off. @returns whether it is allowed */
  async allows(db: Queryable, name: LimitName, subject: string): Promise<boolean> {
    const { times, windowMs } = limits[name];
    const now = this.#deps.clock.now();
    return (await countOne(db, { key: this.#keyOf(name, subject), times, windowMs, now })).isAllowed;
  }

  /** Like {@link take} in the caller's transaction, for optional work. @returns whether it is allowed */
  async permits(db: Queryable, name: LimitName, subject: string): Promise<boolean> {
    return !this.#deps.isOn || this.allows(db, name, subject);
  }

  /**
   * Runs limited work. A failure with one of `free.codes` counts against `free.countsAs` instead of `name`; that limit
   * is checked first.
   * @throws as {@link take}
   */
  async within<T>(
    {
      name,
      subject,
      free,
    }: { name: LimitName; subject: string; free: { codes: readonly ErrorCode[]; countsAs: LimitName } },
    work: () => Promise<T>,
  ): Promise<T> {
    await this.check(free.countsAs, subject);
    const giveBack = await this.take(name, subject);
    return work().catch(async (error: unknown) => {
      if (error instanceof Failure && free.codes.includes(error.code)) {
        await giveBack();
        await this.take(free.countsAs, subject);
      }
      throw error;
    });
  }

  /** Checks without counting. @throws as {@link take} */
  async check(name: LimitName, subject: string): Promise<void> {
    const { database, clock, isOn } = this.#deps;
    if (!isOn) return;
    const now = clock.now();
    const resetsAt = await findFull(database, { key: this.#keyOf(name, subject), ...limits[name], now });
    if (resetsAt !== null) throw new Failure("too-many-requests", { retryAfterSeconds: (resetsAt - now) / SECOND });
  }

  /** Counts an amount that is known after the work only. {@link check} refuses once the sum has reached the limit. */
  async add(name: LimitName, subject: string, amount: number): Promise<void> {
    const { database, clock, isOn } = this.#deps;
    if (!isOn || amount === 0) return;
    await addCount(database, { key: this.#keyOf(name, subject), ...limits[name], now: clock.now() }, amount);
  }

  #keyOf(name: LimitName, subject: string): string {
    return createHmac("sha256", this.#deps.key).update(`${name}\n${subject}`).digest("base64url");
  }
}
