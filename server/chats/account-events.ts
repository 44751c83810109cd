import { setImmediate, setTimeout } from "node:timers/promises";
import type { AccountEvent, EventsStart } from "#contract/conversation/account-events.ts";
import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../bus/bus.ts";
import { outsideRequests } from "../concurrency/outside-requests.ts";
import type { Database } from "../database/schema.ts";
import type { EventStream } from "../http/streams/event-stream.ts";
import type { Log } from "../log.ts";
import { listChanges, listPositions } from "./change-store.ts";
import { hasForgottenDeletions } from "./deleted-chat-store.ts";

/** Pause between two queries; notifications during it are handled together. */
const BATCH_PAUSE_MS = 50;
const RETRY_MS = SECOND;
const POLL_MS = SECOND;
/** Polling intervals between fallback polls while notifications arrive, because notifications may be lost. */
const POLLS_BETWEEN_NETS = 10;
/** Above this number of missed changes a full read is faster. */
const MAX_MISSED = 1000;
/** Accounts that are read concurrently; leaves connections to other queries. */
const AT_ONCE = 4;
/** PostgreSQL allows at most 65,535 parameters. */
const MAX_ACCOUNTS_ASKED = 10_000;

export type AccountEventsDeps = {
  database: Database;
  bus: Bus;
  log: Log;
  /** Whether other processes may write to the database. */
  isShared: boolean;
};

type Reader = { at: number; stream: EventStream };
type FollowedAccount = { readers: Set<Reader>; unsubscribe(): void };

/** Sends changes of accounts to the readers of `GET /events`. One query serves all readers of an account. */
export class AccountEvents implements AsyncDisposable {
  readonly #deps: AccountEventsDeps;
  readonly #accounts = new Map<string, FollowedAccount>();
  readonly #changed = new Set<string>();
  readonly #closing = new AbortController();
  #polling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;

  constructor(deps: AccountEventsDeps) {
    this.#deps = deps;
  }

  /** Returns the start of a reader that has all changes up to `from`; a full start without it or if it is too old. */
  async startFor(userId: string, from: number | undefined): Promise<EventsStart> {
    const { database } = this.#deps;
    const position = (await listPositions(database, [userId])).get(userId) ?? 0;
    const isReset =
      from === undefined ||
      from > position ||
      position - from > MAX_MISSED ||
      (await hasForgottenDeletions(database, userId, from));
    return { at: isReset ? position : from, isReset };
  }

  /** Sends a reader its start and then all changes, until it disconnects. */
  follow(userId: string, start: EventsStart, stream: EventStream): void {
    if (this.#closing.signal.aborted) stream.breakOff();
    stream.send(start satisfies AccountEvent);
    if (stream.signal.aborted) return;
    const account = this.#accounts.get(userId) ?? this.#watch(userId);
    const reader = { at: start.at, stream };
    account.readers.add(reader);
    stream.signal.addEventListener("abort", () => this.#forget(userId, account, reader), { once: true });
    // Sends the changes since `start` was read.
    this.#queuePoll(userId);
  }

  #watch(userId: string): FollowedAccount {
    const unsubscribe = this.#deps.bus.subscribe(topics.account(userId), () => this.#queuePoll(userId));
    const account = { readers: new Set<Reader>(), unsubscribe };
    this.#accounts.set(userId, account);
    if (this.#deps.isShared) {
      this.#timer ??= outsideRequests(() => setInterval(() => this.#poll(), POLL_MS).unref());
    }
    return account;
  }

  #forget(userId: string, account: FollowedAccount, reader: Reader): void {
    account.readers.delete(reader);
    if (account.readers.size > 0 || this.#accounts.get(userId) !== account) return;
    account.unsubscribe();
    this.#accounts.delete(userId);
    if (this.#accounts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Polls all followed accounts, for changes without a notification. */
  #poll(): void {
    this.#polls += 1;
    if (this.#deps.bus.hearsAll && this.#polls % POLLS_BETWEEN_NETS !== 0) return;
    this.readAll();
  }

  /** Reads the changes of all followed accounts, which another process may have made without a notification. */
  readAll(): void {
    for (const userId of this.#accounts.keys()) this.#queuePoll(userId);
  }

  #queuePoll(userId: string): void {
    this.#changed.add(userId);
    this.#polling ??= this.#pollQueued();
  }

  async #pollQueued(): Promise<void> {
    const { signal } = this.#closing;
    // Waits a tick, so that the publisher's call does not run the query.
    await setImmediate();
    while (this.#changed.size > 0 && !signal.aborted) {
      const userIds = [...this.#changed].slice(0, MAX_ACCOUNTS_ASKED);
      for (const userId of userIds) this.#changed.delete(userId);
      const isDone = await this.#notify(userIds.filter((userId) => this.#accounts.has(userId))).then(
        () => true,
        (error: unknown) => this.#deps.log.debug({ err: error }, "changes could not be read yet"),
      );
      if (!isDone) for (const userId of userIds) this.#changed.add(userId);
      await setTimeout(isDone ? BATCH_PAUSE_MS : RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#polling = undefined;
  }

  async #notify(userIds: string[]): Promise<void> {
    if (userIds.length === 0) return;
    const positions = await listPositions(this.#deps.database, userIds);
    for (let done = 0; done < userIds.length; done += AT_ONCE) {
      const group = userIds.slice(done, done + AT_ONCE);
      await Promise.all(group.map((userId) => this.#notifyAccount(userId, positions.get(userId))));
    }
  }

  async #notifyAccount(userId: string, position: number | undefined): Promise<void> {
    const readers = [...(this.#accounts.get(userId)?.readers ?? [])];
    if (position === undefined) {
      for (const { stream } of readers) stream.breakOff();
      return;
    }
    const after = Math.min(...readers.map(({ at }) => at));
    if (!(after < position)) return;
    const changes = await listChanges(this.#deps.database, userId, { after, upTo: position });
    for (const reader of readers) {
      for (const change of changes) if (change.at > reader.at) reader.stream.send(change satisfies AccountEvent);
      reader.at = Math.max(reader.at, position);
    }
  }

  /** Disconnects every reader. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const { readers } of [...this.#accounts.values()]) for (const { stream } of [...readers]) stream.breakOff();
    await this.#polling;
  }
}
