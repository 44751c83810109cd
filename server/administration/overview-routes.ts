import { overviewSchema } from "#contract/administration/overview.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import type { RouteApp } from "../http/validation.ts";
import { type OverviewDeps, readOverview } from "./overview.ts";

/** @param version of the running program */
export function overviewRoutes(app: RouteApp, deps: OverviewDeps, version: string): void {
  app.get(
    administrationPaths.overview,
    {
      config: { role: "administrator" },
      schema: {
        summary: "Get the state of the server in numbers, with warnings",
        description: "Health of providers and uptime are those of the process that answers.",
        tags: ["administration"],
        response: { 200: overviewSchema },
      },
    },
    () => readOverview(deps, version),
  );
}
