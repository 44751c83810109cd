import type { Queryable } from "../../database/schema.ts";
import type { IdentityProviderRow } from "../../database/tables/sso-tables.ts";

/** Lists the providers that owners have added, in their order. */
export async function listIdentityProviders(db: Queryable): Promise<IdentityProviderRow[]> {
  return db.selectFrom("identity_providers").selectAll().orderBy("position").orderBy("id").execute();
}

export async function findIdentityProvider(db: Queryable, slug: string): Promise<IdentityProviderRow | undefined> {
  return db.selectFrom("identity_providers").selectAll().where("slug", "=", slug).executeTakeFirst();
}

/** @throws a unique violation if another provider has the slug or the issuer */
export async function insertIdentityProvider(db: Queryable, row: IdentityProviderRow): Promise<void> {
  await db.insertInto("identity_providers").values(row).execute();
}

/** What changes of a provider: its slug and its issuer never do. */
export type IdentityProviderRowChange = Partial<Omit<IdentityProviderRow, "id" | "slug" | "issuer" | "created_at">>;

export async function updateIdentityProvider(
  db: Queryable,
  id: string,
  change: IdentityProviderRowChange,
): Promise<void> {
  await db.updateTable("identity_providers").set(change).where("id", "=", id).execute();
}

export async function deleteIdentityProvider(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom("identity_providers").where("id", "=", id).execute();
}
