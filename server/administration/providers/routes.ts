import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { administrationPaths } from "#contract/administration-paths.ts";
import { providerParamsSchema, providerTestRequestSchema, providerTestSchema } from "#contract/provider-test.ts";
import { identityOf } from "../../http/session-hook.ts";
import { type ProviderTestDeps, testProvider } from "./test-provider.ts";

type Api = Parameters<FastifyPluginAsyncZod>[0];

/** Tests of providers. */
export function providerRoutes(app: Api, deps: ProviderTestDeps): void {
  app.post(
    administrationPaths.providerTest(":name"),
    {
      config: { role: "administrator", proof: true, limit: "provider-test" },
      schema: {
        summary: "Test a provider (`openai`, `anthropic` or `local`) by one small call",
        description:
          "A refusal of the provider is answered with 200 and its reason. The call is part of the budget, and of the " +
          "administrator's usage.",
        tags: ["administration"],
        params: providerParamsSchema,
        body: providerTestRequestSchema,
        response: { 200: providerTestSchema },
      },
    },
    async (request, reply) => {
      const leaving = new AbortController();
      reply.raw.once("close", () => leaving.abort());
      const { userId } = identityOf(request);
      return testProvider(deps, { ...request.body, name: request.params.name, userId }, leaving.signal);
    },
  );
}
