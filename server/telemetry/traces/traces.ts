import { SpanKind } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { FastifyInstance } from "fastify";
import { SECOND } from "#contract/limits.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { SamplerSettings, TraceSettings } from "../../config/trace-settings.ts";
import type { WatchProduction } from "../../conversation/reply/calls/production.ts";
import type { DatabaseWatch } from "../../database/watch.ts";
import type { Log } from "../../log.ts";
import type { WatchModel } from "../../models/model.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { watchModel, watchProduction } from "./reply-spans.ts";
import { ReportingExporter } from "./reporting-exporter.ts";
import { traceRequests } from "./request-spans.ts";
import { Spans } from "./spans.ts";

const LAST_EXPORT_MS = 3 * SECOND;

export type TracesDeps = { log: Log; outbound: Outbound; headers: Readonly<Record<string, string>> };

/**
 * Sends spans of this process to a collector. Attributes contain patterns, names from the settings, counts, codes and
 * ids of replies: no message text, address or token.
 */
export class Traces implements AsyncDisposable {
  readonly database: DatabaseWatch;
  readonly watchModel: WatchModel;
  readonly watchProduction: WatchProduction;
  readonly #provider: TracerProvider;
  readonly #spans: Spans;

  /** `headers`: for the collector. */
  constructor({ url, resource, sampler, exportDelayMs }: TraceSettings, { log, outbound, headers }: TracesDeps) {
    const httpAgentOptions = () => outbound.nodeAgent(new URL(url));
    const exporter = new ReportingExporter(
      new OTLPTraceExporter({ url, headers: { ...headers }, httpAgentOptions }),
      log,
    );
    const delay = exportDelayMs === undefined ? {} : { scheduledDelayMillis: exportDelayMs };
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ ...resource }),
      sampler: makeSampler(sampler),
      spanProcessors: [new BatchSpanProcessor({ exporter, ...delay })],
    });
    this.#spans = new Spans(this.#provider.getTracer("parley"));
    this.watchModel = watchModel(this.#spans);
    this.watchProduction = watchProduction(this.#spans);
    this.database = { transaction: (work) => this.#watchTransaction(work) };
  }

  traceRequests(app: FastifyInstance): void {
    traceRequests(app, this.#spans);
  }

  /**
   * Returns the header by which spans of the administrator's local server join ours. Other providers do not receive it.
   */
  headers(): Record<string, string> {
    const context = this.#spans.current?.spanContext();
    if (!context) return {};
    const flags = context.traceFlags.toString(16).padStart(2, "0");
    return { traceparent: `00-${context.traceId}-${context.spanId}-${flags}` };
  }

  /** Only inside another span: background transactions, many a second, would hide everything else. */
  async #watchTransaction<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#spans.current?.isRecording()) return work();
    return this.#spans.within("transaction", { kind: SpanKind.CLIENT }, work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await withTimeout(
      this.#provider.shutdown().catch(() => undefined),
      LAST_EXPORT_MS,
    );
  }
}

function makeSampler({ name, ratio }: SamplerSettings): Sampler {
  const root = rootOf(name.replace("parentbased_", ""), ratio);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function rootOf(name: string, ratio: number): Sampler {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
