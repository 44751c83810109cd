import { modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { api } from "../api/client.ts";
import { accountQuery } from "./query.ts";

/** Query of the offered models, grouped by provider. */
export const modelsQuery = accountQuery((signal) => api.get(modelPaths.models, modelListSchema, { signal }));
