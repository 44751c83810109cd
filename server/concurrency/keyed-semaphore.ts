import { Failure } from "../failure.ts";
import { FairQueue, type Flow } from "./fair-queue.ts";

type Waiter = { begin(): void; refuse(failure: Failure): void };

const NO_FLOW: Flow = { network: "", account: "" };

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
  /** Limits for each flow by itself; none by default. */
  perFlow?: FlowLimits;
};

export type FlowLimits = {
  /** Maximum of slots of one flow. */
  atOnce: number;
  /**
   * Maximum queue length of one flow. When it is full, the oldest waiter is refused with `too-many-requests`; with 0,
   * the new one is.
   */
  maxWaiting: number;
  /** Sent as Retry-After with `too-many-requests`. */
  retryAfterSeconds: number;
};

/** Gives a slot back; a second call does nothing. */
export type Release = () => void;

/**
 * Counting semaphore with a bounded queue, keyed by flow: FIFO within a flow, round-robin between flows, optionally
 * with limits for each flow.
 * Two other queues of the server are no semaphores and not built on it: `ConnectionQueue` refuses by the silence of the
 * database instead of time or length, and `GroupCommit` runs all waiters in one transaction.
 */
export class KeyedSemaphore implements Disposable {
  readonly #limits: SemaphoreLimits;
  readonly #waiting = new FairQueue<Waiter>();
  /** Number of slots per flow, counted only if flows have limits. */
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #isClosed = false;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /**
   * Runs work in a slot.
   * @param signal aborts the wait; work that has begun is not affected
   * @throws as {@link acquire}; what the work throws
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal, flow?: Flow): Promise<T> {
    const release = await this.acquire(signal, flow);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a slot.
   * @param flow the network and account of the work; work without a flow shares one
   * @throws Failure `unavailable` if the queue is full, the wait times out, or the semaphore is closed;
   * `too-many-requests` if the flow's queue is full; the signal's reason
   */
  async acquire(signal?: AbortSignal, flow = NO_FLOW): Promise<Release> {
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

  #mayRun(flow: Flow): boolean {
    const { perFlow } = this.#limits;
    return !perFlow || (this.#runningOf.get(keyOfFlow(flow)) ?? 0) < perFlow.atOnce;
  }

  #begin(flow: Flow): void {
    this.#running++;
    if (this.#limits.perFlow) this.#addRunning(flow, 1);
  }

  /** Passes the slot to the next waiter in the same step, so that no newcomer gets it first. */
  #end(flow: Flow): void {
    this.#running--;
    if (this.#limits.perFlow) this.#addRunning(flow, -1);
    this.#waiting.next((next) => this.#mayRun(next))?.begin();
  }

  #addRunning(flow: Flow, change: number): void {
    const key = keyOfFlow(flow);
    const count = (this.#runningOf.get(key) ?? 0) + change;
    if (count === 0) this.#runningOf.delete(key);
    else this.#runningOf.set(key, count);
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
    const { maxWaiting, perFlow } = this.#limits;
    this.#waiting.add(flow, waiter);
    if (perFlow && this.#waiting.sizeOf(flow) > perFlow.maxWaiting) {
      const { retryAfterSeconds } = perFlow;
      this.#waiting.dropOldest(flow)?.refuse(new Failure("too-many-requests", { retryAfterSeconds }));
    }
    if (this.#waiting.size > maxWaiting) this.#waiting.dropFromLongest(flow)?.refuse(this.#unavailable());
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

const keyOfFlow = ({ network, account }: Flow) => `${network}\n${account}`;
