import { createHmac } from "node:crypto";
import type { ErrorCode } from "#contract/errors.ts";
import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { countBack, countOne, findFull } from "./limit-store.ts";
import { siteOf } from "./networks.ts";

/** How often something may be done in a window by one subject: a network, a mailbox, an account or a session. */
export const limits = {
  // Wrong passwords; the two below count the right ones.
  "sign-in": { times: 10, windowMs: MINUTE },
  "account-sign-in": { times: 60, windowMs: MINUTE },
  "network-sign-in": { times: 300, windowMs: MINUTE },
  "sign-up": { times: 100, windowMs: HOUR },
  "name-look-up": { times: 20, windowMs: MINUTE },
  mail: { times: 100, windowMs: HOUR },
  "mail-to-address-minute": { times: 1, windowMs: MINUTE },
  "mail-to-address-hour": { times: 5, windowMs: HOUR },
  "key-try": { times: 30, windowMs: MINUTE },
  google: { times: 20, windowMs: MINUTE },
  "name-change": { times: 30, windowMs: HOUR },
  "new-device-notice": { times: 1, windowMs: HOUR },
  notice: { times: 5, windowMs: HOUR },
  chat: { times: 60, windowMs: MINUTE },
  // A browser repeats a send that waits for another reply about once a second, in each tab.
  "refused-send": { times: 600, windowMs: MINUTE },
  message: { times: 240, windowMs: MINUTE },
  stop: { times: 240, windowMs: MINUTE },
  change: { times: 600, windowMs: MINUTE },
  "account-change": { times: 120, windowMs: MINUTE },
  export: { times: 60, windowMs: HOUR },
  import: { times: 120, windowMs: MINUTE },
  preset: { times: 60, windowMs: MINUTE },
  // One for each key as somebody types.
  search: { times: 600, windowMs: MINUTE },
} as const;
export type LimitName = keyof typeof limits;

/** An IPv6 network of 48 bits, which a hoster may give to one customer, may do so many times as much as one of 64. */
const SITE_FACTOR = 16;

export type LimitsDeps = { database: Database; clock: Clock; key: Uint8Array; isOn: boolean };

/** Counts what is limited, in the database: for all processes, and past a kill. */
export class Limits {
  readonly #deps: LimitsDeps;

  constructor(deps: LimitsDeps) {
    this.#deps = deps;
  }

  /**
   * Takes one of what is allowed, before the work is done.
   * @param subject whom it is allowed: `networkOf` an address, a mailbox's key, an account's id
   * @returns what gives it back, for what turns out not to count
   * @throws Failure `too-many-requests` with the time until there is more
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

  /** Counts one in the caller's transaction, also where limits are off. @returns whether it is allowed */
  async allows(db: Queryable, name: LimitName, subject: string): Promise<boolean> {
    const { times, windowMs } = limits[name];
    const now = this.#deps.clock.now();
    return (await countOne(db, { key: this.#keyOf(name, subject), times, windowMs, now })).isAllowed;
  }

  /** As {@link take}, in the caller's transaction, for what is left out where it is refused. @returns whether it is allowed */
  async permits(db: Queryable, name: LimitName, subject: string): Promise<boolean> {
    return !this.#deps.isOn || this.allows(db, name, subject);
  }

  /**
   * Does what is limited. A failure with the code `free.code` does not count against `name` but against `free.countsAs`,
   * which is checked before anything else. @throws as {@link take}
   */
  async within<T>(
    { name, subject, free }: { name: LimitName; subject: string; free: { code: ErrorCode; countsAs: LimitName } },
    work: () => Promise<T>,
  ): Promise<T> {
    await this.check(free.countsAs, subject);
    const giveBack = await this.take(name, subject);
    return work().catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === free.code) {
        await giveBack();
        await this.take(free.countsAs, subject);
      }
      throw error;
    });
  }

  /** Counts nothing. @throws as {@link take} would */
  async check(name: LimitName, subject: string): Promise<void> {
    const { database, clock, isOn } = this.#deps;
    if (!isOn) return;
    const now = clock.now();
    const resetsAt = await findFull(database, { key: this.#keyOf(name, subject), ...limits[name], now });
    if (resetsAt !== null) throw new Failure("too-many-requests", { retryAfterSeconds: (resetsAt - now) / SECOND });
  }

  #keyOf(name: LimitName, subject: string): string {
    return createHmac("sha256", this.#deps.key).update(`${name}\n${subject}`).digest("base64url");
  }
}
