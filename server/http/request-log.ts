import type { FastifyInstance, FastifyRequest } from "fastify";
import { API_BASE } from "#contract/http.ts";
import { SHARE_LINK_PATH, sharePaths } from "#contract/shares/paths.ts";

/** Logs one line per request. Omits headers, bodies, the query of the URL, which may contain keys, and secret paths. */
export function logRequests(app: FastifyInstance, level: "info" | "debug"): void {
  app.addHook("onResponse", async (request, reply) => {
    request.log[level](
      {
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.identity && { user: request.identity.userId }),
      },
      "request",
    );
  });
}

/** Paths that a token follows. */
const secretPaths = [SHARE_LINK_PATH, API_BASE + sharePaths.sharedPage("")];
/**
 * Such a path of no route, for example because it was mistyped: slashes may be repeated, letters be in capitals. It may
 * follow an origin.
 */
const SECRET = new RegExp(`^((?:\\w+://[^/]*)?(?:${secretPaths.join("|").replaceAll("/", "/+")})).+$`, "i");

function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const [path = ""] = url.split("?");
  return routeOptions.config.isSecretPath && routeOptions.url !== undefined
    ? routeOptions.url
    : path.replace(SECRET, "$1*");
}
