import { HOUR } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Log } from "../log.ts";

/**
 * Removes data that has expired at `now`; several processes may run it concurrently. A long job stops between two steps
 * when `signal` aborts, and leaves the rest to the next sweep.
 */
export type SweepJob = (now: number, signal: AbortSignal) => Promise<void>;

export type SweepDeps = { clock: Clock; log: Log; jobs: Record<string, SweepJob> };

/** Runs all jobs at the start and every hour. */
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

  /** Adds a job of a module that is opened later: runs it now, and then with the others. */
  add(job: string, remove: SweepJob): void {
    this.#added.set(job, remove);
    this.#running = this.#running.then(() => this.#do(job, remove));
  }

  /** Settles when all jobs have run; a failing job is logged and does not stop the others. */
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
