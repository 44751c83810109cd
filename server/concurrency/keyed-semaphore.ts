import { Failure } from "../failure.ts";
import { FairQueue, type Flow } from "./fair-queue.ts";

type Waiter = { begin(): void; refuse(failure: Failure): void };

const NO_FLOW: Flow = { network: "", account: "" };

export type SemaphoreLimits = {
  /** Slots: how many pieces of work run at once. */
  atOnce: number;
  /** Length of the queue. Beyond it the newest of the flow with the most is refused with `unavailable`. */
  maxWaiting: number;
  /** Longest wait in the queue, then `unavailable`; without limit by default. */
  maxWaitMs?: number;
  /** Sent as Retry-After with `unavailable`; by default what the HTTP layer sends with any 503. */
  retryAfterSeconds?: number;
  /** Limits for each flow by itself; none by default. */
  perFlow?: FlowLimits;
};

export type FlowLimits = {
  /** Slots that one flow may hold. */
  atOnce: number;
  /** Length of one flow's queue. Beyond it the oldest is refused with `too-many-requests`; with 0 that is the new one. */
  maxWaiting: number;
  /** Sent as Retry-After with `too-many-requests`. */
  retryAfterSeconds: number;
};

/** Gives a slot back; a second call does nothing. */
export type Release = () => void;

/**
 * Counting semaphore with a bounded queue, keyed by flow: FIFO within a flow, round-robin between flows, optionally with
 * limits for each flow.
 *
 * Two queues of the server are not built on it, as they are no semaphores: `ConnectionQueue` refuses by the silence of the
 * database instead of by time or length, and `GroupCommit` runs all that wait in one transaction.
 */
export class KeyedSemaphore implements Disposable {
  readonly #limits: SemaphoreLimits;
  readonly #waiting = new FairQueue<Waiter>();
  /** Slots held by each flow, counted only where flows have limits. */
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
   * @param flow the network and account that the work is for; work without one shares one flow
   * @throws Failure `unavailable` where too many wait, it takes too long, or the semaphore is closed; `too-many-requests`
   * where too many of the flow wait; the signal's reason
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

  /** The slot goes to the next waiter in the same step, so that nothing that comes later takes it. */
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

  /** Refuses all that wait and all that come; what runs goes on. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (let next = this.#waiting.next(); next; next = this.#waiting.next()) next.refuse(this.#unavailable());
  }
}

const keyOfFlow = ({ network, account }: Flow) => `${network}\n${account}`;
