import Fastify from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { expect, onTestFinished, test } from "vitest";
import { modelListSchema } from "#contract/models.ts";
import { defaultCatalogue } from "./catalogue.ts";
import { openModels } from "./open-models.ts";
import { modelRoutes } from "./routes.ts";

test("GET models answers the groups as the contract has them, for signed-in people", async () => {
  const models = openModels({ productName: "Parley", catalogue: defaultCatalogue });
  const app = Fastify().setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  onTestFinished(() => app.close());
  const access: unknown[] = [];
  app.addHook("onRoute", ({ config }) => {
    access.push(config?.access);
  });
  await app.register(modelRoutes(models));
  const response = await app.inject("/models");
  expect(response.statusCode).toBe(200);
  expect(modelListSchema.parse(response.json())).toEqual(await models.list());
  expect(new Set(access)).toEqual(new Set(["signed-in"]));
});
