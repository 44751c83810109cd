import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";

const attributesSchema = z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }));
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: attributesSchema,
  status: z.object({ code: z.optional(z.number()) }),
});
/** Body of an export in OTLP/HTTP with JSON. */
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = Omit<z.infer<typeof spanSchema>, "attributes"> & {
  attributes: Readonly<Record<string, unknown>>;
};

/** An OTLP collector of traces on a real socket. */
export class TraceCollector implements AsyncDisposable {
  readonly spans: CollectedSpan[] = [];
  /** Body and headers of each export. */
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  resource: Readonly<Record<string, unknown>> = {};
  /** Status of its responses. */
  status = 200;
  readonly #arrivals = new Set<() => void>();
  readonly #server = createServer(async (request, response) => {
    const body = await text(request);
    this.headers.push(request.headers);
    this.bodies.push(body);
    if (request.url === "/v1/traces" && this.status === 200) this.#take(body);
    response.writeHead(this.status, { "content-type": "application/json" }).end("{}");
    for (const arrive of this.#arrivals) arrive();
    this.#arrivals.clear();
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Waits for a span for which `fits` returns true. */
  async span(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    for (;;) {
      const span = this.spans.find(fits);
      if (span) return span;
      await this.#arrival();
    }
  }

  /** Waits until `count` exports have arrived in total, whatever the response was. */
  async exports(count: number): Promise<void> {
    while (this.bodies.length < count) await this.#arrival();
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(body: string): void {
    for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
      this.resource = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans) {
        this.spans.push(...spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })));
      }
    }
  }
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const collector = new TraceCollector();
  await collector.listen();
  return collector;
}

function valuesOf(attributes: z.infer<typeof attributesSchema>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
