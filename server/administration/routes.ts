import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { administeredAccountRoutes } from "./account-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import type { AdministrationDeps } from "./send-csv.ts";

/** Screens of administrators. */
export function administrationRoutes(deps: AdministrationDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    administeredAccountRoutes(app, deps);
    auditRoutes(app, deps);
  };
  return routes;
}
