import { modelListSchema } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../api/client.ts";
import { accountQuery } from "./query.ts";

/** Query of the offered models, grouped by provider. */
export const modelsQuery = accountQuery((signal) => api.get(paths.models, modelListSchema, { signal }));
