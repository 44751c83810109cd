import type { FastifyInstance, RouteOptions } from "fastify";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { Failure } from "../failure.ts";

/** Who may call a route: everybody, every signed-in account, or those with at least the role. */
export type RouteRole = "open" | "signed-in" | Exclude<AccountRole, "person">;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Default: `signed-in`. */
    role?: RouteRole;
    /** Whether the route requires a proof of ownership (password or Google sign-in) in the last ten minutes. */
    proof?: boolean;
    /** Whether its path has a secret, so that logs have its pattern instead. */
    isSecretPath?: boolean;
    /** Whether {@link watchRoutes} added the route to answer 405. */
    isRefusal?: boolean;
  }
  interface FastifyInstance {
    /** All routes of the application, for checks that must cover every route. */
    routeTable: RouteRow[];
  }
}

export type RouteRow = { method: string; url: string; role: RouteRole; proof: boolean };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Records all routes that are registered from now on. The returned function completes the table: each known path then
 * answers 405 to methods that it does not support.
 */
export function watchRoutes(app: FastifyInstance): () => void {
  const routes: RouteOptions[] = [];
  app.decorate("routeTable", []);
  app.addHook("onRoute", (route) => {
    if (!route.config?.isRefusal) routes.push(route);
  });
  return () => {
    // Not earlier, because `onRoute` hooks of inner plugins may change a route after it was recorded above.
    const table = routes.flatMap(({ url, method, config }) =>
      [method].flat().map(
        (name): RouteRow => ({
          method: name,
          url,
          role: config?.role ?? "signed-in",
          proof: config?.proof ?? false,
        }),
      ),
    );
    app.routeTable.push(...table);
    for (const url of new Set(table.map((row) => row.url))) {
      const taken = table.filter((row) => row.url === url).map((row) => row.method);
      const others = METHODS.filter((method) => !taken.includes(method) && !app.hasRoute({ method, url }));
      if (url.includes("*") || others.length === 0) continue;
      const isSecretPath = routes.some((route) => route.url === url && route.config?.isSecretPath === true);
      app.route({
        method: others,
        url,
        schema: { hide: true },
        config: { role: "open", isRefusal: true, isSecretPath },
        handler: async (_request, reply) => {
          reply.header("allow", taken.join(", "));
          throw new Failure("method-not-allowed");
        },
      });
    }
  };
}
