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

/** What a span begins with. */
export type Beginning = { kind?: SpanKind; attributes?: Attributes };

/** Spans within spans. Nothing is global: a span is found by what happens in the asynchronous context of its work. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #context = new AsyncLocalStorage<Context>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** The span that what happens now belongs to. */
  get current(): Span | undefined {
    return trace.getSpan(this.#context.getStore() ?? ROOT_CONTEXT);
  }

  /** Begins a span below none. */
  begin(name: string, beginning: Beginning): Span {
    return this.#tracer.startSpan(name, beginning, ROOT_CONTEXT);
  }

  /** Whatever begins within `work` belongs to the span. */
  runIn<T>(span: Span, work: () => T): T {
    return this.#context.run(trace.setSpan(ROOT_CONTEXT, span), work);
  }

  /** Does a piece of work within a span, which ends with it; what it throws is told by its kind alone. */
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
