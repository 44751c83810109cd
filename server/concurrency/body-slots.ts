import { SECOND } from "#contract/limits.ts";
import type { Clock } from "./clock.ts";
import type { Flow } from "./fair-queue.ts";
import { KeyedSemaphore, type Release, type SemaphoreLimits } from "./keyed-semaphore.ts";

/** A body that arrives slower than `BYTES` in `WINDOW_MS` may lose its slot (checklist K10). */
const WINDOW_MS = 30 * SECOND;
const BYTES = 30_000;
const CHECK_MS = SECOND;

/** A body that arrives. `bytesRead` counts what has arrived of it, perhaps with other bytes of its connection. */
export type ArrivingBody = {
  readonly bytesRead: number;
  readonly isComplete: boolean;
  /** Closes its connection. */
  close(): void;
};

/** A window of an arrival. `from`: bytes at its begin, `since` in ms of the clock. */
type Arrival = { body: ArrivingBody; from: number; since: number };

/**
 * Slots of requests whose bodies are received as streams. While others wait for a slot, the connections of bodies slower
 * than 1 kB/s over 30 s are closed: idle clients would otherwise hold all slots until their requests time out. Uploads
 * are continued by their clients.
 */
export class BodySlots implements Disposable {
  readonly #slots: KeyedSemaphore;
  readonly #clock: Clock;
  readonly #arriving = new Set<Arrival>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: SemaphoreLimits, clock: Clock) {
    this.#slots = new KeyedSemaphore(limits);
    this.#clock = clock;
  }

  /**
   * Waits for a slot of a body, of which nothing was read yet.
   * @param signal aborts the wait
   * @throws as `KeyedSemaphore.acquire`
   */
  async acquire(flow: Flow, body: ArrivingBody, signal?: AbortSignal): Promise<Release> {
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
    const release = await this.#slots.acquire(flow, signal);
    const arrival = this.#begin(body);
    return () => {
      this.#arriving.delete(arrival);
      release();
    };
  }

  /** Runs work that receives a body in a slot. @throws as {@link acquire}; what the work throws */
  async run<T>(flow: Flow, body: ArrivingBody, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(flow, body);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #begin(body: ArrivingBody): Arrival {
    const arrival = { body, from: body.bytesRead, since: this.#clock.now() };
    this.#arriving.add(arrival);
    return arrival;
  }

  #check(): void {
    if (this.#arriving.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    if (!this.#slots.isShort) return;
    const now = this.#clock.now();
    for (const arrival of this.#arriving) {
      const { body, from, since } = arrival;
      if (body.isComplete) this.#arriving.delete(arrival);
      else if (now - since >= WINDOW_MS) {
        const { bytesRead } = body;
        const isSlow = (bytesRead - from) / (now - since) < BYTES / WINDOW_MS;
        if (isSlow) body.close();
        else Object.assign(arrival, { from: bytesRead, since: now });
      }
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#slots[Symbol.dispose]();
  }
}
