import { SECOND } from "#contract/limits.ts";
import type { Spending } from "../../budgets/spending.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { Log } from "../../log.ts";
import type { Model } from "../../models/model.ts";
import type { Production, ReplyLimits, WatchProduction } from "./calls/production.ts";
import type { GrowingReply } from "./live-reply.ts";
import { produceReply } from "./produce-reply.ts";
import type { ReplyEnd } from "./reply-end-store.ts";
import type { StoredSteps } from "./steps/stored-steps.ts";

export type ReplyRunsDeps = {
  clock: Clock;
  log: Log;
  limits: ReplyLimits;
  /** Grace period of running replies at a shutdown. */
  graceMs: number;
  watchProduction?: WatchProduction;
};

/** The prompt, the models and the money of a reply. */
export type ReplyWork = Pick<
  Production,
  "prompt" | "candidates" | "isAutomatic" | "failedWriter" | "findOlder" | "earlier" | "tools"
> & {
  spending: Spending;
  /** Absent: of a reply that begins. */
  steps?: StoredSteps | undefined;
};

/** What a reply needs that is stored. */
export type StoredProduction = Required<Pick<Production, "journal" | "storePicture" | "storeText" | "storing">>;

/** Timeout of a shutdown for a database that does not respond. */
const STORE_GRACE_MS = 5 * SECOND;

/** Writes replies, of which each is independent of the request that has started it, and ends them at a shutdown. */
export class ReplyRuns {
  readonly #deps: ReplyRunsDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #abandoned = new AbortController();
  #draining: Promise<void> | undefined;

  constructor(deps: ReplyRunsDeps) {
    this.#deps = deps;
  }

  /** Whether the process is shutting down, so that no new reply may start. */
  get isDraining(): boolean {
    return this.#draining !== undefined;
  }

  /** Aborted after the grace period of a shutdown: retries end. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Lets a shutdown wait for `run`, which writes a reply and stores its end. */
  add(run: Promise<void>): void {
    const running = run.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Writes a reply with its models. @returns how it ended; never throws */
  produce(reply: GrowingReply, work: ReplyWork, storing?: StoredProduction): Promise<ReplyEnd> {
    const { clock, log, limits, watchProduction } = this.#deps;
    const onFailure = (model: Model, error: Error) => {
      if (!reply.stopSignal.aborted) log.warn({ err: error, reply: reply.id, model: model.value }, "model failed");
    };
    const onAway = (error: unknown) => log.warn({ err: error, reply: reply.id }, "reply waits for the database");
    const turns = [...(work.steps?.turns ?? [])];
    const resumptions = new Map(work.steps?.resumptions);
    return produceReply({
      ...work,
      turns,
      resumptions,
      reply,
      clock,
      limits,
      onFailure,
      onAway,
      ...storing,
      watchProduction,
    });
  }

  /**
   * Shuts down: waits for the grace period, calls `stopAll` for the replies that are still running, and waits until
   * their ends are stored.
   */
  async drain(stopAll: () => void): Promise<void> {
    this.#draining ??= this.#drain(stopAll);
    await this.#draining;
  }

  async #drain(stopAll: () => void): Promise<void> {
    await withTimeout(Promise.all(this.#running), this.#deps.graceMs);
    this.#abandoned.abort();
    stopAll();
    await withTimeout(Promise.all(this.#running), STORE_GRACE_MS);
  }
}
