import type { FastifyInstance } from "fastify";

/** One line for each request: paths without their query, which may hold keys; no headers, no bodies. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const [path] = request.url.split("?");
    request.log.info(
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
