import { Failure } from "../failure.ts";
import { FairQueue, type Flow } from "./fair-queue.ts";

type Waiter = { begin(): void; refuse(failure: Failure): void };

export type SemaphoreLimits = {
  /** Slots: number of works that run concurrently. */
  atOnce: number;
  /**
   * Maximum length of the queue. When it is full, the newest waiter of the longest flow is refused with `unavailable`.
   */
  maxWaiting: number;
  /** Timeout of the wait in the queue in ms, then `unavailable`; none by default. */
  maxWaitMs?: number;
  /** Sent as Retry-After with `unavailable`; by default what the HTTP layer sends with any 503. */
  retryAfterSeconds?: number;
  /** Limits for each account by itself, in all its networks; none by default. */
  perAccount?: AccountLimits;
  /** Slots that one network leaves to the others; 0 by default. */
  spareForNetworks?: number;
};

export type AccountLimits = {
  /** Maximum of slots of one account. */
  atOnce: number;
  /**
   * Maximum queue length of one account, which may also wait for as many slots as it could have. When it is full, the
   * oldest waiter is refused with `too-many-requests`; with 0, the new one is.
   */
  maxWaiting: number;
  /** Sent as Retry-After with `too-many-requests`. */
  retryAfterSeconds: number;
};

/** Gives a slot back; a second call does nothing. */
export type Release = () => void;

/**
 * Counting semaphore with a bounded queue, keyed by flow: FIFO within a flow, round-robin between flows, optionally
 * with limits for each account and network. All slots of a process that requests of clients take are such a semaphore,
 * and every acquisition names its flow, so that no account or network can take them from the others.
 * Two other queues of the server are no semaphores and not built on it: `ConnectionQueue` refuses by the silence of the
 * database instead of time or length, and `GroupCommit` runs all waiters in one transaction.
 */
export class KeyedSemaphore implements Disposable {
  readonly #limits: SemaphoreLimits;
  readonly #waiting = new FairQueue<Waiter>();
  readonly #ofAccounts = new Map<string, number>();
  readonly #ofNetworks = new Map<string, number>();
  #running = 0;
  #isClosed = false;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /** Whether somebody waits for a slot. */
  get isShort(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Runs work in a slot.
   * @param flow the network and account of the work
   * @param signal aborts the wait; work that has begun is not affected
   * @throws as {@link acquire}; what the work throws
   */
  async run<T>(flow: Flow, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(flow, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a slot.
   * @param flow the network and account of the work
   * @throws Failure `unavailable` if the queue is full, the wait times out, or the semaphore is closed;
   * `too-many-requests` if the account's queue is full; the signal's reason
   */
  async acquire(flow: Flow, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#unavailable();
    if (this.#running < this.#limits.atOnce && this.#mayRun(flow)) this.#begin(flow);
    else await this.#wait(signal, flow);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#end(flow);
      isReleased = true;
    };
  }

  #mayRun({ network, account }: Flow): boolean {
    const { atOnce, perAccount, spareForNetworks = 0 } = this.#limits;
    const ofAccount = this.#ofAccounts.get(account) ?? 0;
    const ofNetwork = this.#ofNetworks.get(network) ?? 0;
    return ofAccount < (perAccount?.atOnce ?? atOnce) && ofNetwork < atOnce - spareForNetworks;
  }

  #begin(flow: Flow): void {
    this.#count(flow, 1);
  }

  /** Passes the slot to the next waiter in the same step, so that no newcomer gets it first. */
  #end(flow: Flow): void {
    this.#count(flow, -1);
    this.#waiting.next((next) => this.#mayRun(next))?.begin();
  }

  #count({ network, account }: Flow, change: 1 | -1): void {
    this.#running += change;
    addTo(this.#ofAccounts, account, change);
    addTo(this.#ofNetworks, network, change);
  }

  async #wait(signal: AbortSignal | undefined, flow: Flow): Promise<void> {
    const { maxWaitMs } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      this.#begin(flow);
      resolve();
    };
    const waiter: Waiter = { begin, refuse: reject };
    this.#enqueue(waiter, flow);
    const leaveAborted = () => {
      if (this.#waiting.remove(waiter)) reject(signal?.reason);
    };
    const leaveLate = () => {
      if (this.#waiting.remove(waiter)) reject(this.#unavailable());
    };
    const timer = maxWaitMs === undefined ? undefined : setTimeout(leaveLate, maxWaitMs);
    signal?.addEventListener("abort", leaveAborted);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leaveAborted);
    }
  }

  #enqueue(waiter: Waiter, flow: Flow): void {
    const { maxWaiting } = this.#limits;
    this.#waiting.add(flow, waiter);
    this.#boundAccount(flow.account, waiter);
    if (this.#waiting.size > maxWaiting) this.#waiting.dropFromLongest(flow)?.refuse(this.#unavailable());
  }

  #boundAccount(account: string, newest: Waiter): void {
    const { perAccount } = this.#limits;
    if (!perAccount) return;
    const { atOnce, maxWaiting, retryAfterSeconds } = perAccount;
    const free = atOnce - (this.#ofAccounts.get(account) ?? 0);
    if (this.#waiting.sizeOf(account) <= Math.max(maxWaiting, free)) return;
    const failure = new Failure("too-many-requests", { retryAfterSeconds });
    if (maxWaiting > 0) this.#waiting.dropOldest(account)?.refuse(failure);
    else if (this.#waiting.remove(newest)) newest.refuse(failure);
  }

  #unavailable(): Failure {
    const { retryAfterSeconds } = this.#limits;
    return new Failure("unavailable", retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  }

  /** Refuses all waiters and newcomers; running work continues. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (let next = this.#waiting.next(); next; next = this.#waiting.next()) next.refuse(this.#unavailable());
  }
}

function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
