import { administrationPaths } from "#contract/administration/paths.ts";
import {
  providerCheckRequestSchema,
  providerCheckSchema,
  providerParamsSchema,
} from "#contract/administration/provider-check.ts";
import { identityOf } from "../../http/session-hook.ts";
import { leavingOf } from "../../http/streams/leaving-of.ts";
import type { RouteApp } from "../../http/validation.ts";
import { checkProvider, type ProviderCheckDeps } from "./check-provider.ts";

/** Tests of providers. */
export function providerRoutes(app: RouteApp, deps: ProviderCheckDeps): void {
  app.post(
    administrationPaths.providerCheck(":name"),
    {
      config: { role: "administrator", proof: true, limit: "provider-check" },
      schema: {
        summary: "Test a connection by one small call",
        description:
          "A refusal of the provider is answered with 200 and its reason. The call is part of the budget, and of the " +
          "administrator's usage.",
        tags: ["administration"],
        params: providerParamsSchema,
        body: providerCheckRequestSchema,
        response: { 200: providerCheckSchema },
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      return checkProvider(deps, { ...request.body, name: request.params.name, userId }, leavingOf(reply));
    },
  );
}
