import type { FastifyPluginAsync } from "fastify";
import { modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { type Identity, identityOf } from "../http/session-hook.ts";
import type { ModelAccess } from "./model-access.ts";
import type { Models } from "./open-models.ts";

/** `accessOf`: reads which models an account may use. */
export type ModelRoutesDeps = { models: Models; accessOf: (identity: Identity) => Promise<ModelAccess> };

export function modelRoutes({ models, accessOf }: ModelRoutesDeps): FastifyPluginAsync {
  return async (app) => {
    app.get(
      modelPaths.models,
      {
        config: { role: "signed-in" },
        schema: {
          summary: "List the models that the account may use, in groups",
          tags: ["models"],
          response: { 200: modelListSchema },
        },
      },
      async (request) => models.list(await accessOf(identityOf(request))),
    );
  };
}
