import { SECOND } from "#contract/limits.ts";
import type { Log } from "../log.ts";
import type { Bus } from "./bus.ts";

const POLL_MS = 2 * SECOND;
/** Every such poll reads although notifications arrive, because they may be lost. */
const FALLBACK_POLL_EVERY = 15;

type ReloadingDeps = {
  bus: Bus;
  log: Log;
  /** Whether other processes may write to the database. */
  isShared: boolean;
};

/** `read`: reads the rows and applies them. `failure`: message for the log if it fails. */
type Snapshot = { topic: string; read: () => Promise<void>; failure: string };

/** Reads a snapshot of the database again after a notification of its topic; without Redis it polls. */
export class Reloading implements AsyncDisposable {
  readonly #deps: ReloadingDeps;
  readonly #snapshot: Snapshot;
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isStale = false;
  #polls = 0;

  constructor(deps: ReloadingDeps, snapshot: Snapshot) {
    this.#deps = deps;
    this.#snapshot = snapshot;
    this.#unsubscribe = deps.bus.subscribe(snapshot.topic, () => void this.reload());
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
  }

  /** Makes a committed change take effect: here when this settles, on other processes within seconds. */
  async publish(): Promise<void> {
    this.#deps.bus.publish(this.#snapshot.topic);
    await this.#running;
  }

  /** Reads the snapshot again. Keeps the last one, and tries again later, if the database does not answer. */
  reload(): Promise<void> {
    this.#running = this.#running.then(() => this.#reload());
    return this.#running;
  }

  async #reload(): Promise<void> {
    try {
      await this.#snapshot.read();
      this.#isStale = false;
    } catch (error) {
      this.#isStale = true;
      this.#deps.log.debug({ err: error }, this.#snapshot.failure);
    }
  }

  #poll(): void {
    this.#polls += 1;
    const { isShared, bus } = this.#deps;
    const isNotified = !isShared || (bus.hearsAll && this.#polls % FALLBACK_POLL_EVERY !== 0);
    if (this.#isStale || !isNotified) void this.reload();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#running;
  }
}
