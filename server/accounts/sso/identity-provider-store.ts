import type { Queryable } from "../../database/schema.ts";
import type { IdentityProviderRow } from "../../database/tables/sso-tables.ts";

/** Lists the providers that owners have added, in their order. */
export async function listIdentityProviders(db: Queryable): Promise<IdentityProviderRow[]> {
  return db.selectFrom("identity_providers").selectAll().orderBy("position").orderBy("id").execute();
}
