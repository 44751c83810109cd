import { accountPaths } from "#contract/accounts/paths.ts";
import { connectedIdentitiesSchema } from "#contract/accounts/single-sign-on.ts";
import { api } from "../api/client.ts";
import { accountQuery } from "./query.ts";

/** Identities of the account at identity providers, the oldest first. */
export const identitiesQuery = accountQuery((signal) =>
  api.get(accountPaths.identities, connectedIdentitiesSchema, { signal }),
);
