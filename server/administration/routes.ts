import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { readProgramVersion } from "../config/program-version.ts";
import { administeredAccountRoutes } from "./account-routes.ts";
import type { AdministrationDeps } from "./administration-deps.ts";
import { auditRoutes } from "./audit-routes.ts";
import { identityProviderRoutes } from "./identity-providers/routes.ts";
import type { InstallationDeps } from "./installation.ts";
import { installationRoutes } from "./installation-routes.ts";
import type { OverviewDeps } from "./overview.ts";
import { overviewRoutes } from "./overview-routes.ts";
import type { ProviderCheckDeps } from "./providers/check-provider.ts";
import { providerRoutes } from "./providers/routes.ts";

/** Screens of administrators. */
export function administrationRoutes(
  deps: AdministrationDeps & OverviewDeps & ProviderCheckDeps & InstallationDeps,
): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    overviewRoutes(app, deps, await readProgramVersion());
    providerRoutes(app, deps);
    administeredAccountRoutes(app, deps);
    auditRoutes(app, deps);
    identityProviderRoutes(app, deps);
    installationRoutes(app, deps);
  };
  return routes;
}
