import { createHmac } from "node:crypto";
import type { ErrorCode } from "#contract/errors.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Database, Queryable } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { addCount, countBack, countOne, findAmount, findFull } from "./limit-store.ts";
import { networkOf, siteOf } from "./networks.ts";
import { WORK_LIFE_MS } from "./proof-of-work.ts";

/** Limits per subject (a network, mailbox, account or session) and window. */
export const limits = {
  // Wrong passwords of one account from one network or known device; the accounts with wrong passwords from one network,
  // each once; and right passwords of one account, and from one network.
  "sign-in": { times: 10, windowMs: MINUTE },
  "failed-account": { times: 1, windowMs: 10 * MINUTE },
  "failed-accounts": { times: 30, windowMs: 10 * MINUTE },
  work: { times: 1, windowMs: WORK_LIFE_MS },
  "account-sign-in": { times: 60, windowMs: MINUTE },
  "network-sign-in": { times: 300, windowMs: MINUTE },
  "sign-up": { times: 100, windowMs: HOUR },
  "name-look-up": { times: 20, windowMs: MINUTE },
  // Of one invitation, with which a whole class registers.
  "invited-name-look-up": { times: 100, windowMs: MINUTE },
  mail: { times: 100, windowMs: HOUR },
  "mail-to-address-minute": { times: 1, windowMs: MINUTE },
  "mail-to-address-hour": { times: 5, windowMs: HOUR },
  "key-try": { times: 30, windowMs: MINUTE },
  // Wrong class codes. One pupil must not use up the tries of the class behind the same address.
  "class-code": { times: 10, windowMs: MINUTE },
  "class-code-device": { times: 5, windowMs: MINUTE },
  "invitation-mail": { times: 20, windowMs: HOUR },
  // Lines of lists, by owners and administrators, and by managers.
  "bulk-invitation-mail": { times: 500, windowMs: DAY },
  "manager-invitation-mail": { times: 100, windowMs: DAY },
  "test-mail": { times: 10, windowMs: HOUR },
  google: { times: 20, windowMs: MINUTE },
  passkey: { times: 20, windowMs: MINUTE },
  "passkey-challenge": { times: 600, windowMs: MINUTE },
  sso: { times: 20, windowMs: MINUTE },
  "sso-attempt": { times: 600, windowMs: MINUTE },
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
  "provider-check": { times: 10, windowMs: MINUTE },
  export: { times: 60, windowMs: HOUR },
  import: { times: 120, windowMs: MINUTE },
  // Snapshots that are rendered: each choice of what a link contains renders one.
  "share-draft": { times: 240, windowMs: HOUR },
  // Of one network: a class that opens a link, and more often than a token could be guessed or a server be mirrored.
  "share-view": { times: 600, windowMs: MINUTE },
  "share-preview": { times: 600, windowMs: MINUTE },
  "share-file": { times: 3000, windowMs: MINUTE },
  preset: { times: 60, windowMs: MINUTE },
  // Seconds in which documents of an account are read: some hundred large ones.
  "document-reading": { times: 120, windowMs: HOUR },
  // One search for each keystroke.
  search: { times: 600, windowMs: MINUTE },
} as const;
export type LimitName = keyof typeof limits;

/** Windows of limits per account whose number an owner sets. */
const ownerWindows = { "tool-call-minute": MINUTE, "tool-call-day": DAY } as const;
type OwnerLimitName = keyof typeof ownerWindows;

/** In networks whose people the operator knows, this many times as many accounts may have wrong passwords. */
const TRUSTED_FACTOR = 10;

/** A hoster may give an IPv6 network of 48 bits to one customer; its limits are this factor times those of 64 bits. */
const SITE_FACTOR = 16;

export type LimitsDeps = { database: Database; clock: Clock; key: Uint8Array; isOn: boolean };

/** Takes a count back, for attempts that turn out not to count. */
export type GiveBack = () => Promise<void>;
const nothingToGiveBack: GiveBack = async () => {};

/** `resetsAt`: end of the window, a Unix time in ms. */
type FullWindow = { resetsAt: number };

/** `excess`: what was counted beyond the limit, as a multiple of it. */
type FullAccounts = FullWindow & { excess: number };

const failedAccountsOf = (isTrusted: boolean) => limits["failed-accounts"].times * (isTrusted ? TRUSTED_FACTOR : 1);

const pairOf = (network: string, account: string) => `${network}\n${account}`;

/** Client whose network is limited. */
export type LimitedClient = { ip: string; isTrusted: boolean };

const tooMany = (waitMs: number) => new Failure("too-many-requests", { retryAfterSeconds: waitMs / SECOND });

/** Returns a subject, and the larger IPv6 network that contains it, each with its limit. */
function withSite(subject: string, times: number): { subject: string; times: number }[] {
  const site = siteOf(subject);
  return [{ subject, times }, ...(site === null ? [] : [{ subject: site, times: times * SITE_FACTOR }])];
}

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
  async take(name: LimitName, subject: string): Promise<GiveBack> {
    const { database, isOn } = this.#deps;
    return isOn ? this.takeAlways(database, name, subject) : nothingToGiveBack;
  }

  /**
   * Like {@link take}, even if limits are off. In a transaction, later attempts of the subject wait for its end.
   * @throws as {@link take}
   */
  async takeAlways(db: Queryable, name: LimitName, subject: string): Promise<GiveBack> {
    const taken = await this.#count(name, subject, limits[name].times, db);
    if ("resetsAt" in taken) throw tooMany(taken.resetsAt - this.#deps.clock.now());
    return taken.giveBack;
  }

  /**
   * Counts one attempt of an account before the work is done, even if limits are off.
   * @param times what an owner has set
   * @returns a function that takes the count back; null if the window is full
   */
  async takeUpTo(times: number, name: OwnerLimitName, userId: string): Promise<GiveBack | null> {
    const { database, clock } = this.#deps;
    const key = this.#keyOf(name, userId);
    const window = { key, times, windowMs: ownerWindows[name], now: clock.now() };
    const { isAllowed, resetsAt } = await countOne(database, window);
    return isAllowed ? () => countBack(database, key, resetsAt) : null;
  }

  /**
   * Like {@link take} for a client's network. Networks that the operator trusts have no limits of their own: one of their
   * people must not refuse the others.
   */
  async takeOfNetwork(name: LimitName, { ip, isTrusted }: LimitedClient): Promise<GiveBack> {
    return isTrusted ? nothingToGiveBack : this.take(name, networkOf(ip));
  }

  /**
   * Runs work that needs a secret which cannot be guessed. Only failures with one of these codes count against the
   * client's network, and only they are refused beyond the limit: wrong secrets of one person never refuse the right
   * secret of another in their network.
   * @throws what the work throws; instead of these codes, as {@link take}
   */
  async countWrong<T>(
    { name, client, codes }: { name: LimitName; client: LimitedClient; codes: readonly ErrorCode[] },
    work: () => Promise<T>,
  ): Promise<T> {
    return work().catch(async (error: unknown) => {
      if (error instanceof Failure && codes.includes(error.code)) await this.takeOfNetwork(name, client);
      throw error;
    });
  }

  /**
   * Returns the full window in which a network may fail to sign in to no further account, with what was counted beyond
   * the limit, as a multiple of it; null if there is room, or if the account is counted already. Writes nothing: a flood
   * of names leaves no rows.
   */
  async findFullAccounts(account: string, { ip, isTrusted }: LimitedClient): Promise<FullAccounts | null> {
    if (!this.#deps.isOn) return null;
    const network = networkOf(ip);
    const resetsAt = await this.#fullUntil("failed-accounts", network, failedAccountsOf(isTrusted));
    return resetsAt === null ? null : this.#unlessCounted(account, network, { resetsAt, isTrusted });
  }

  /** Returns a full window of a network with its excess; null if the account is counted already. */
  async #unlessCounted(
    account: string,
    network: string,
    { resetsAt, isTrusted }: FullWindow & { isTrusted: boolean },
  ): Promise<FullAccounts | null> {
    if ((await this.#fullUntil("failed-account", pairOf(network, account), 1)) !== null) return null;
    const { database, clock } = this.#deps;
    const times = failedAccountsOf(isTrusted);
    const counted = await findAmount(database, this.#keyOf("failed-accounts", network), clock.now());
    return { resetsAt, excess: Math.max(0, counted - times) / times };
  }

  /** Returns when the window of a subject, or of the larger network around it, ends if it is full; otherwise null. */
  async #fullUntil(name: LimitName, subject: string, times: number): Promise<number | null> {
    const { database, clock } = this.#deps;
    const { windowMs } = limits[name];
    for (const { subject: each, times: allowed } of withSite(subject, times)) {
      const window = { key: this.#keyOf(name, each), windowMs, times: allowed, now: clock.now() };
      const resetsAt = await findFull(database, window);
      if (resetsAt !== null) return resetsAt;
    }
    return null;
  }

  /**
   * Counts an account with wrong passwords for its guesser's network, once in each window.
   * @param account identifies the account, or the name without one
   * @returns a function that takes the count back; for a full window its end, and what was counted beyond the limit, as
   *   a multiple of it
   */
  async takeFailedAccount(account: string, { ip, isTrusted }: LimitedClient): Promise<GiveBack | FullAccounts> {
    if (!this.#deps.isOn) return nothingToGiveBack;
    const network = networkOf(ip);
    const all = await this.#count("failed-accounts", network, failedAccountsOf(isTrusted));
    if ("resetsAt" in all) {
      return (await this.#unlessCounted(account, network, { ...all, isTrusted })) ?? nothingToGiveBack;
    }
    // Last: a count that is given back must not admit a concurrent guess at the same account.
    const one = await this.#count("failed-account", pairOf(network, account), 1);
    if ("resetsAt" in one) {
      await all.giveBack();
      return nothingToGiveBack;
    }
    return async () => {
      await one.giveBack();
      await all.giveBack();
    };
  }

  /** Returns whether a value that may be used once is used for the first time, within the window of this limit. */
  async isFirstUse(name: LimitName, value: string): Promise<boolean> {
    return "giveBack" in (await this.#count(name, value, 1));
  }

  /** Counts one for a network and the larger one around it. */
  async #count(
    name: LimitName,
    subject: string,
    times: number,
    db: Queryable = this.#deps.database,
  ): Promise<{ giveBack: GiveBack } | FullWindow> {
    const { clock } = this.#deps;
    const taken: GiveBack[] = [];
    const giveBack = async () => {
      for (const one of taken) await one();
    };
    for (const { subject: each, times: allowed } of withSite(subject, times)) {
      const key = this.#keyOf(name, each);
      const window = { key, times: allowed, windowMs: limits[name].windowMs, now: clock.now() };
      const { isAllowed, resetsAt } = await countOne(db, window);
      if (!isAllowed) {
        await giveBack();
        return { resetsAt };
      }
      taken.push(() => countBack(db, key, resetsAt));
    }
    return { giveBack };
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
    const { clock, isOn } = this.#deps;
    if (!isOn) return;
    const resetsAt = await this.#fullUntil(name, subject, limits[name].times);
    if (resetsAt !== null) throw tooMany(resetsAt - clock.now());
  }

  /** Like {@link check} for a client's network, as {@link takeOfNetwork}. */
  async checkOfNetwork(name: LimitName, { ip, isTrusted }: LimitedClient): Promise<void> {
    if (!isTrusted) await this.check(name, networkOf(ip));
  }

  /** Counts an amount that is known after the work only. {@link check} refuses once the sum has reached the limit. */
  async add(name: LimitName, subject: string, amount: number): Promise<void> {
    const { database, clock, isOn } = this.#deps;
    if (!isOn || amount === 0) return;
    await addCount(database, { key: this.#keyOf(name, subject), ...limits[name], now: clock.now() }, amount);
  }

  #keyOf(name: LimitName | OwnerLimitName, subject: string): string {
    return createHmac("sha256", this.#deps.key).update(`${name}\n${subject}`).digest("base64url");
  }
}
