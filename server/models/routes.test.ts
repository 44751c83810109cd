import Fastify from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { expect, onTestFinished, test } from "vitest";
import { modelListSchema } from "#contract/models/models.ts";
import { defaultCatalogue } from "./default-catalogue.ts";
import { ALL_MODELS } from "./model-access.ts";
import { openModels } from "./open-models.ts";
import { modelRoutes } from "./routes.ts";

test("GET models returns the groups in the contract's schema, for signed-in accounts", async () => {
  const models = openModels({ productName: () => "Parley", catalogue: defaultCatalogue });
  const app = Fastify().setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  onTestFinished(() => app.close());
  const roles: unknown[] = [];
  app.addHook("onRoute", ({ config }) => {
    roles.push(config?.role);
  });
  const identity = { userId: "a", sessionId: "s", provedAt: 0, role: "person", groupId: null } as const;
  app.decorateRequest("identity", null);
  app.addHook("onRequest", async (request) => Object.assign(request, { identity }));
  await app.register(modelRoutes({ models, accessOf: async ({ groupId }) => ({ ...ALL_MODELS, first: groupId }) }));
  const response = await app.inject("/models");
  expect(response.statusCode).toBe(200);
  expect(modelListSchema.parse(response.json())).toEqual(await models.list());
  expect(new Set(roles)).toEqual(new Set(["signed-in"]));
});
