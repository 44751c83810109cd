import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { isSameSecret } from "../../config/secret-key.ts";
import { Failure } from "../../failure.ts";
import type { Metrics } from "./metrics.ts";

export const METRICS_PATH = "/metrics";

export type MetricsAddress = { host: string; port: number };

/** Serves the metrics, and nothing else, on their own port. */
export class MetricsServer implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * `token`: bearer token that a request must have; without it, metrics are public.
   * @throws if it cannot listen
   */
  static async open(metrics: Metrics, { host, port }: MetricsAddress, token?: string): Promise<MetricsServer> {
    const server = createServer((request, response) => {
      const answer = (status: number, body: string, type = "text/plain; charset=utf-8") =>
        response.writeHead(status, { "content-type": type }).end(body);
      if (request.url?.split("?")[0] !== METRICS_PATH) return void answer(404, "Not found\n");
      if (!isAllowed(request.headers.authorization, token)) {
        response.setHeader("www-authenticate", "Bearer");
        return void answer(401, "A token is required\n");
      }
      void metrics.text().then(
        (text) => answer(200, text, metrics.contentType),
        () => answer(500, "The metrics could not be collected\n"),
      );
    });
    server.listen(port, host);
    await once(server, "listening").catch((cause: unknown) => {
      const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
      throw new Error(`The metrics cannot be served on ${host}:${port}${code}: see METRICS_PORT and METRICS_HOST`, {
        cause,
      });
    });
    return new MetricsServer(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Serves the metrics on the application's port to requests with the token. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics, token: string): void {
  app.get(METRICS_PATH, { schema: { hide: true }, config: { role: "open" } }, async (request, reply) => {
    if (!isAllowed(request.headers.authorization, token)) {
      reply.header("www-authenticate", "Bearer");
      throw new Failure("not-signed-in");
    }
    return reply
      .type(metrics.contentType)
      .header("cache-control", "no-store")
      .send(await metrics.text());
  });
}

function isAllowed(header: string | undefined, token: string | undefined): boolean {
  return token === undefined || isSameSecret(header ?? "", `Bearer ${token}`);
}
