import type { FastifyReply, FastifyRequest } from "fastify";
import { KeyedSemaphore, type Release, type SemaphoreLimits } from "../../concurrency/keyed-semaphore.ts";
import { Failure } from "../../failure.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { Limits } from "../../limits/limits.ts";
import { begun } from "../concurrent-limit.ts";

/** A client that is refused repeats its whole body, so that it is asked to wait longer than for a text. */
const RETRY_AFTER = { retryAfterSeconds: 5 };

/** Requests with files of one process: 20 MB each, and as much readable text at most. */
const ALL: SemaphoreLimits = { atOnce: 10, maxWaiting: 0, ...RETRY_AFTER };
/** Of one account. */
const OWN: SemaphoreLimits = {
  atOnce: Number.POSITIVE_INFINITY,
  maxWaiting: 0,
  perFlow: { atOnce: 1, maxWaiting: 0, ...RETRY_AFTER },
};

/** Bounds the requests with files, from before their bodies are read until their replies have ended. */
export class RequestSlots {
  readonly #limits: Pick<Limits, "check" | "take">;
  readonly #all = new KeyedSemaphore(ALL);
  readonly #own = new KeyedSemaphore(OWN);
  /** Slots of requests whose handler has not started. */
  readonly #releases = new WeakMap<FastifyRequest, Release>();

  constructor(limits: Pick<Limits, "check" | "take">) {
    this.#limits = limits;
  }

  /**
   * Takes a slot for a request, until it is answered or {@link hold} is called.
   * @throws Failure `too-many-replies` if the account has a slot already; `unavailable` if none is free
   */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { userId } = identityOf(request);
    const { countsAs } = begun(userId).free;
    await this.#limits.check(countsAs, userId);
    const release = await this.#acquire(userId).catch(async (error: unknown) => {
      await this.#limits.take(countsAs, userId);
      throw error;
    });
    this.#releases.set(request, release);
    reply.raw.once("close", () => this.#releases.get(request)?.());
    if (reply.raw.destroyed) release();
  }

  async #acquire(account: string): Promise<Release> {
    const releaseOwn = await this.#own.acquire(undefined, { network: "", account }).catch((cause: unknown) => {
      // The code on which browsers wait for another reply to end.
      throw new Failure("too-many-replies", { cause, ...RETRY_AFTER });
    });
    const releaseOfAll = await this.#all.acquire().catch((error: unknown) => {
      releaseOwn();
      throw error;
    });
    return () => {
      releaseOfAll();
      releaseOwn();
    };
  }

  /** Returns what frees the slot of a request, which it holds from now on; does nothing for a request without one. */
  hold(request: FastifyRequest): Release {
    const release = this.#releases.get(request) ?? (() => undefined);
    this.#releases.delete(request);
    return release;
  }
}
