import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { SECOND } from "#contract/limits.ts";
import type { Bus } from "../../bus/bus.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { Replies } from "../../conversation/reply/replies.ts";
import type { DatabaseWatch } from "../../database/watch.ts";
import type { OpenStreams } from "../../http/streams/open-streams.ts";
import type { Outbox } from "../../mail/outbox.ts";
import type { WatchModel } from "../../models/model.ts";
import { databaseMetrics } from "./database-metrics.ts";
import { ModelMetrics } from "./model-metrics.ts";
import { countRequests } from "./request-metrics.ts";

/** Timeout of a scrape's database queries; their metrics are omitted then. */
const DATABASE_WAIT_MS = 2 * SECOND;

/** Sources that are read only when metrics are requested. */
export type Counted = {
  outbox: Pick<Outbox, "backlog">;
  replies: Pick<Replies, "runningCount">;
  /** Undefined if Redis is not configured. */
  redis?: Pick<Bus, "hearsAll">;
};

/**
 * Metrics of this process for Prometheus. Labels come from the program and its settings, never from user input, so that
 * their number is bounded and they contain no personal data.
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

  /** Must be called once. */
  watch({ outbox, replies, redis }: Counted): void {
    const depth = this.#gauge("parley_outbox_mails", "Mails that wait to be delivered");
    const age = this.#gauge("parley_outbox_oldest_seconds", "How long the oldest of the waiting mails has waited");
    this.#readOutbox = async () => {
      // An absent value means unknown; an outdated one would mislead.
      for (const gauge of [depth, age]) gauge.remove();
      const { count, ageMs } = await outbox.backlog();
      depth.set(count);
      age.set(ageMs / SECOND);
    };
    this.#gauge("parley_replies_running", "Replies that this process is writing", {
      collect: (gauge) => gauge.set(replies.runningCount),
    });
    if (redis) {
      this.#gauge("parley_redis_connected", "Whether notifications of other processes arrive through Redis", {
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

  /** Returns all metrics in Prometheus's text format. */
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
