import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { SECOND } from "#contract/limits.ts";
import type { Bus } from "../../bus/bus.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { Replies } from "../../conversation/reply/replies.ts";
import type { DatabaseWatch } from "../../database/watch.ts";
import type { OpenStreams } from "../../http/streams/open-streams.ts";
import type { Outbox } from "../../mail/outbox.ts";
import type { WatchModel } from "../../models/open-models.ts";
import { databaseMetrics } from "./database-metrics.ts";
import { ModelMetrics } from "./model-metrics.ts";
import { countRequests } from "./request-metrics.ts";

/** A scrape waits no longer for what the database has to tell; it is left out then. */
const DATABASE_WAIT_MS = 2 * SECOND;

/** What is counted where it is, and only read when somebody asks. */
export type Counted = {
  outbox: Pick<Outbox, "backlog">;
  replies: Pick<Replies, "runningCount">;
  /** None where no Redis is set up. */
  redis?: Pick<Bus, "hearsAll">;
};

/**
 * What this process measures of itself, for Prometheus. Labels come from the program and its settings, never from what
 * people send, so that their number is bounded and none tells of a person.
 */
export class Metrics {
  readonly contentType: string;
  readonly database: DatabaseWatch;
  readonly watchModel: WatchModel;
  readonly #registry = new Registry();
  #readOutbox: () => Promise<void> = async () => {};

  constructor() {
    this.contentType = this.#registry.contentType;
    // Processor time, memory, garbage collection, event loop.
    collectDefaultMetrics({ register: this.#registry });
    this.database = databaseMetrics(this.#registry);
    const models = new ModelMetrics(this.#registry);
    this.watchModel = (model, label) => models.watch(model, label);
  }

  /** To be called once. */
  watch({ outbox, replies, redis }: Counted): void {
    const depth = this.#gauge("parley_outbox_mails", "Mails that wait to be delivered");
    const age = this.#gauge("parley_outbox_oldest_seconds", "How long the oldest of the waiting mails has waited");
    this.#readOutbox = async () => {
      // An absent value tells that it is not known; an old one would deceive.
      for (const gauge of [depth, age]) gauge.remove();
      const { count, ageMs } = await outbox.backlog();
      depth.set(count);
      age.set(ageMs / SECOND);
    };
    this.#gauge("parley_replies_running", "Replies that this process is writing", {
      collect: (gauge) => gauge.set(replies.runningCount),
    });
    if (redis) {
      this.#gauge("parley_redis_connected", "Whether nudges of other processes arrive by Redis", {
        collect: (gauge) => gauge.set(redis.hearsAll ? 1 : 0),
      });
    }
  }

  countRequests(app: FastifyInstance): void {
    countRequests(app, this.#registry);
  }

  watchStreams(streams: OpenStreams): void {
    const gauge = new Gauge({
      name: "parley_streams_open",
      help: "Open streams of replies, account events and exports, by the route that opened them",
      labelNames: ["route"],
      registers: [this.#registry],
      collect: () => {
        gauge.reset();
        for (const [route, count] of streams.countByRoute()) gauge.set({ route }, count);
      },
    });
  }

  /** All of it, in the text format of Prometheus. */
  async text(): Promise<string> {
    await withTimeout(
      this.#readOutbox().catch(() => undefined),
      DATABASE_WAIT_MS,
    );
    return this.#registry.metrics();
  }

  #gauge(name: string, help: string, { collect }: { collect?: (gauge: Gauge) => void } = {}): Gauge {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.#registry],
      ...(collect && { collect: () => collect(gauge) }),
    });
    return gauge;
  }
}
