import type { FastifyInstance } from "fastify";
import { Counter, Histogram, type Registry } from "prom-client";
import { SECOND } from "#contract/limits.ts";
import { routeOf } from "../../http/streams/open-streams.ts";
import { onAnswered } from "../on-answered.ts";

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10];
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts all responses. Measures their time except for streams, which last as long as the client wants. */
export function countRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: "parley_http_requests_total",
    help: "Answers that have ended, by pattern of route, method and status (none: the client left before)",
    labelNames: ["route", "method", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "parley_http_request_duration_seconds",
    help: "Time to the end of an answer; streams of events are left out",
    labelNames: ["route", "method"],
    buckets: SECONDS,
    registers: [registry],
  });
  onAnswered(app, (request, { status, isStream, ms }) => {
    const method = METHODS.has(request.method) ? request.method : "other";
    const route = routeOf(request);
    requests.inc({ route, method, status: status === undefined ? "none" : String(status) });
    if (!isStream) durations.observe({ route, method }, ms / SECOND);
  });
}
