import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { Log } from "../../log.ts";

type Result = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

/** Logs once when spans do not arrive, and once when they do again: the SDK itself logs nothing. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Log;
  #isAway = false;

  constructor(exporter: SpanExporter, log: Log) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], onResult: (result: Result) => void): void {
    this.#exporter.export(spans, (result) => {
      const isAway = result.code !== 0;
      if (isAway && !this.#isAway) this.#log.warn({ err: result.error }, "traces could not be sent");
      if (!isAway && this.#isAway) this.#log.info("traces are sent again");
      this.#isAway = isAway;
      onResult(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }
}
