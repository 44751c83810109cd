import { type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { routeOf } from "../../http/streams/open-streams.ts";
import { onAnswered } from "../on-answered.ts";
import type { Spans } from "./spans.ts";

/**
 * Creates a span for each request, named after its route pattern. Ignores an incoming `traceparent`: any client could
 * send one and decide what is traced.
 */
export function traceRequests(app: FastifyInstance, spans: Spans): void {
  const requests = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const route = routeOf(request);
    const attributes = { "http.request.method": request.method, "http.route": route };
    const span = spans.begin(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes });
    requests.set(request, span);
    spans.runIn(span, done);
  });
  // Code after the last byte of a body runs in the async context of the socket.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = requests.get(request);
    if (span) spans.runIn(span, done);
    else done();
  });
  onAnswered(app, (request, { status, isStream }) => {
    const span = requests.get(request);
    if (!span) return;
    if (status !== undefined) span.setAttribute("http.response.status_code", status);
    if (isStream) span.setAttribute("parley.stream", true);
    if ((status ?? 0) >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}
