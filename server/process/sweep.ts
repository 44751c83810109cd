import { HOUR } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Log } from "../log.ts";

/**
 * Removes what has lapsed at `now`; several processes may do so at once. One that takes long ends between two steps once
 * `signal` aborts, and leaves the rest to the next sweep.
 */
export type SweepJob = (now: number, signal: AbortSignal) => Promise<void>;

export type SweepDeps = { clock: Clock; log: Log; jobs: Record<string, SweepJob> };

/** Removes what has lapsed, at the start and every hour. */
export class Sweep implements AsyncDisposable {
  readonly #deps: SweepDeps;
  readonly #added = new Map<string, SweepJob>();
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(deps: SweepDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.run(), HOUR).unref();
    void this.run();
  }

  /** A job of what is opened later: done now, then with the others. */
  add(job: string, remove: SweepJob): void {
    this.#added.set(job, remove);
    this.#running = this.#running.then(() => this.#do(job, remove));
  }

  /** Settles when everything lapsed is gone; a job that fails is logged and does not keep the others from theirs. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#sweep());
    return this.#running;
  }

  async #sweep(): Promise<void> {
    for (const [job, remove] of [...Object.entries(this.#deps.jobs), ...this.#added]) await this.#do(job, remove);
  }

  async #do(job: string, remove: SweepJob): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#closing;
    if (signal.aborted) return;
    await remove(clock.now(), signal).catch((error: unknown) => log.error({ err: error, job }, "sweep failed"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }
}
