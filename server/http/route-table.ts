import type { FastifyInstance, RouteOptions } from "fastify";
import { Failure } from "../failure.ts";

/** `proved`: signed in, and proved to be the owner in the last ten minutes. */
export type RouteAccess = "open" | "signed-in" | "proved";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call; a route that says nothing is for signed-in people only. */
    access?: RouteAccess;
    /** Made by {@link watchRoutes} itself: answers 405. */
    isRefusal?: boolean;
  }
  interface FastifyInstance {
    /** Every route of the application, for checks that no route may escape. */
    routeTable: RouteRow[];
  }
}

export type RouteRow = { method: string; url: string; access: RouteAccess };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Keeps the table of routes from now on. The function returned closes it: each known path then answers 405 to the
 * methods that it does not take.
 */
export function watchRoutes(app: FastifyInstance): () => void {
  const routes: RouteOptions[] = [];
  app.decorate("routeTable", []);
  app.addHook("onRoute", (route) => {
    if (!route.config?.isRefusal) routes.push(route);
  });
  return () => {
    // Only now: hooks of inner plugins may have changed a route after it was seen here.
    const table = routes.flatMap(({ url, method, config }) =>
      [method].flat().map((name): RouteRow => ({ method: name, url, access: config?.access ?? "signed-in" })),
    );
    app.routeTable.push(...table);
    for (const url of new Set(table.map((row) => row.url))) {
      const taken = table.filter((row) => row.url === url).map((row) => row.method);
      const others = METHODS.filter((method) => !taken.includes(method) && !app.hasRoute({ method, url }));
      if (url.includes("*") || others.length === 0) continue;
      app.route({
        method: others,
        url,
        schema: { hide: true },
        config: { access: "open", isRefusal: true },
        handler: async (_request, reply) => {
          reply.header("allow", taken.join(", "));
          throw new Failure("method-not-allowed");
        },
      });
    }
  };
}
