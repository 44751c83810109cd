import type { FastifyReply, FastifyRequest } from "fastify";
import { SECOND } from "#contract/limits.ts";
import { BodySlots } from "../../concurrency/body-slots.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Release, SemaphoreLimits } from "../../concurrency/keyed-semaphore.ts";
import { Failure } from "../../failure.ts";
import { arrivingBody } from "../../http/arriving-body.ts";
import { identityOf } from "../../http/session-hook.ts";
import { flowOf } from "../../limits/flow-of.ts";
import type { Limits } from "../../limits/limits.ts";
import { begun } from "../admission/concurrent-limit.ts";

/** A client that is refused repeats its whole body, so that it is asked to wait longer than for a text. */
const RETRY_AFTER = { retryAfterSeconds: 5 };

/**
 * Requests with files of one process: 20 MB each, and as much readable text at most. The browser's request waits for a
 * slot before it sends its body.
 */
const SLOTS: SemaphoreLimits = {
  atOnce: 10,
  maxWaiting: 50,
  maxWaitMs: 40 * SECOND,
  ...RETRY_AFTER,
  perAccount: { atOnce: 1, maxWaiting: 0, ...RETRY_AFTER },
  spareForNetworks: 2,
};

/** Bounds the requests with files, from before their bodies are read until their replies have ended. */
export class RequestSlots {
  readonly #limits: Pick<Limits, "check" | "take">;
  readonly #slots: BodySlots;
  /** Slots of requests whose handler has not started. */
  readonly #releases = new WeakMap<FastifyRequest, Release>();

  constructor(limits: Pick<Limits, "check" | "take">, clock: Clock) {
    this.#limits = limits;
    this.#slots = new BodySlots(SLOTS, clock);
  }

  /**
   * Waits for a slot of a request, until it is answered or {@link hold} is called.
   * @throws Failure `too-many-replies` if the account has a slot already; `unavailable` if none is free for too long
   */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { userId } = identityOf(request);
    const { countsAs } = begun(userId).free;
    await this.#limits.check(countsAs, userId);
    const leaving = new AbortController();
    const leave = () => leaving.abort(new Failure("unavailable", RETRY_AFTER));
    reply.raw.once("close", leave);
    const release = await this.#acquire(request, leaving.signal).catch(async (error: unknown) => {
      await this.#limits.take(countsAs, userId);
      throw error;
    });
    this.#releases.set(request, release);
    reply.raw.once("close", () => this.#releases.get(request)?.());
    if (reply.raw.destroyed) release();
  }

  async #acquire(request: FastifyRequest, signal: AbortSignal): Promise<Release> {
    const flow = flowOf(request.client, identityOf(request).userId);
    return this.#slots.acquire(flow, arrivingBody(request), signal).catch((cause: unknown) => {
      // The code on which browsers wait for another reply to end.
      if (cause instanceof Failure && cause.code === "too-many-requests") {
        throw new Failure("too-many-replies", { cause, ...RETRY_AFTER });
      }
      throw cause;
    });
  }

  /** Returns what frees the slot of a request, which it holds from now on; does nothing for a request without one. */
  hold(request: FastifyRequest): Release {
    const release = this.#releases.get(request) ?? (() => undefined);
    this.#releases.delete(request);
    return release;
  }
}
