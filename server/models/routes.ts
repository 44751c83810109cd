import type { FastifyPluginAsync } from "fastify";
import { modelListSchema } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";
import type { Models } from "./open-models.ts";

export function modelRoutes(models: Models): FastifyPluginAsync {
  return async (app) => {
    app.get(
      paths.models,
      {
        config: { role: "signed-in" },
        schema: {
          summary: "List the models, in groups",
          tags: ["models"],
          response: { 200: modelListSchema },
        },
      },
      () => models.list(),
    );
  };
}
