import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import type { Secrets } from "../config/secrets.ts";
import type { WatchProduction } from "../conversation/reply/calls/production.ts";
import type { DatabaseWatch } from "../database/watch.ts";
import type { Log } from "../log.ts";
import type { WatchModel } from "../models/model.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Counted, Metrics } from "./metrics/metrics.ts";
import type { MetricsServer } from "./metrics/metrics-server.ts";
import type { Traces } from "./traces/traces.ts";

export type TelemetryDeps = { config: Config; secrets: Secrets; log: Log; outbound: Outbound };

/**
 * Metrics and traces according to the settings. Disabled ones are neither loaded nor measured: their watch is
 * undefined.
 */
export class Telemetry implements AsyncDisposable {
  readonly metrics: Metrics | undefined;
  readonly traces: Traces | undefined;
  readonly database: DatabaseWatch;
  readonly #config: Config;
  readonly #secrets: Secrets;
  #metricsServer: MetricsServer | undefined;

  private constructor(config: Config, secrets: Secrets, metrics: Metrics | undefined, traces: Traces | undefined) {
    this.#config = config;
    this.#secrets = secrets;
    this.metrics = metrics;
    this.traces = traces;
    this.database = { ...metrics?.database, ...traces?.database };
  }

  static async open({ config, secrets, log, outbound }: TelemetryDeps): Promise<Telemetry> {
    const hasMetrics = config.metrics !== undefined || secrets.metricsToken !== undefined;
    const metrics = hasMetrics ? new (await import("./metrics/metrics.ts")).Metrics() : undefined;
    const traces = config.traces
      ? new (await import("./traces/traces.ts")).Traces(config.traces, {
          log,
          outbound,
          headers: secrets.otlpHeaders ?? {},
        })
      : undefined;
    return new Telemetry(config, secrets, metrics, traces);
  }

  /** Instrumentation for models. */
  get models(): { watch?: WatchModel; localHeaders?: () => Record<string, string> } {
    const { metrics, traces } = this;
    if (!metrics && !traces) return {};
    const watches = [metrics?.watchModel, traces?.watchModel].filter((watch) => watch !== undefined);
    return {
      watch: (model, label) => watches.reduce((watched, watch) => watch(watched, label), model),
      ...(traces && { localHeaders: () => traces.headers() }),
    };
  }

  /** Instrumentation for the writing of replies. */
  get production(): { watchProduction?: WatchProduction } {
    return this.traces ? { watchProduction: this.traces.watchProduction } : {};
  }

  /** Starts the listener of the metrics if they have their own port. Must be called once, when all sources exist. */
  async serve(counted: Counted): Promise<void> {
    this.metrics?.watch(counted);
    const { metrics } = this.#config;
    if (!this.metrics || !metrics) return;
    const { MetricsServer } = await import("./metrics/metrics-server.ts");
    this.#metricsServer = await MetricsServer.open(this.metrics, metrics, this.#secrets.metricsToken);
  }

  /** Port of the metrics if they have their own. */
  get metricsPort(): number | undefined {
    return this.#metricsServer?.port;
  }

  /** Must be called before the application's own hooks, to see every request. */
  watchRequests(app: FastifyInstance): void {
    this.traces?.traceRequests(app);
    this.metrics?.countRequests(app);
  }

  /** Adds the route of the metrics on the application's port, if they have no port of their own but a token. */
  async addRoutes(app: FastifyInstance): Promise<void> {
    const { metricsToken } = this.#secrets;
    if (!this.metrics || this.#config.metrics || metricsToken === undefined) return;
    const { metricsRoute } = await import("./metrics/metrics-server.ts");
    metricsRoute(app, this.metrics, metricsToken);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#metricsServer?.[Symbol.asyncDispose]();
    await this.traces?.[Symbol.asyncDispose]();
  }
}
