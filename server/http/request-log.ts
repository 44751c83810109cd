import type { FastifyInstance } from "fastify";

/** Logs one line per request. Omits headers, bodies and the query of the URL, which may contain keys. */
export function logRequests(app: FastifyInstance, level: "info" | "debug"): void {
  app.addHook("onResponse", async (request, reply) => {
    const [path] = request.url.split("?");
    request.log[level](
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.identity && { user: request.identity.userId }),
      },
      "request",
    );
  });
}
