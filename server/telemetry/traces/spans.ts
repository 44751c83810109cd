import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

/** Initial kind and attributes of a span. */
export type Beginning = { kind?: SpanKind; attributes?: Attributes };

/** Nested spans. Nothing is global: the current span is found by the async context. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #context = new AsyncLocalStorage<Context>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** The current span. */
  get current(): Span | undefined {
    return trace.getSpan(this.#context.getStore() ?? ROOT_CONTEXT);
  }

  /** Starts a span without a parent. */
  begin(name: string, beginning: Beginning): Span {
    return this.#tracer.startSpan(name, beginning, ROOT_CONTEXT);
  }

  /** Runs work whose spans become children of the span. */
  runIn<T>(span: Span, work: () => T): T {
    return this.#context.run(trace.setSpan(ROOT_CONTEXT, span), work);
  }

  /** Runs work in a child span, which ends with it. An error is recorded by its kind only. */
  async within<T>(name: string, beginning: Beginning, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.#tracer.startSpan(name, beginning, this.#context.getStore() ?? ROOT_CONTEXT);
    try {
      return await this.runIn(span, () => work(span));
    } catch (error) {
      span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
}
