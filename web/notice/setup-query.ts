import { SETUP_PATH, setupSchema } from "#contract/administration/setup.ts";
import { api } from "../api/client.ts";
import { accountQuery } from "../queries/query.ts";

/** The first steps of an owner. */
export const setupQuery = accountQuery((signal) => api.get(SETUP_PATH, setupSchema, { signal }));
