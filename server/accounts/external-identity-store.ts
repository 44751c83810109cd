import type { Queryable } from "../database/schema.ts";
import type { ExternalIdentityRow } from "../database/tables/sso-tables.ts";

/** Key of an identity: issuer and subject, never a name or an address. */
export type IdentityKey = Pick<ExternalIdentityRow, "issuer" | "subject">;

export async function findIdentity(
  db: Queryable,
  { issuer, subject }: IdentityKey,
): Promise<ExternalIdentityRow | undefined> {
  return db
    .selectFrom("external_identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

/** Finds the identity that last signed in by this label: a hint of who signs in, never a proof. */
export async function findIdentityByLabel(
  db: Queryable,
  issuer: string,
  label: string,
): Promise<ExternalIdentityRow | undefined> {
  return db
    .selectFrom("external_identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("label", "=", label)
    .orderBy("last_used_at", "desc")
    .orderBy("id")
    .executeTakeFirst();
}

/** Lists the identities of an account, the oldest first. */
export async function listIdentities(db: Queryable, userId: string): Promise<ExternalIdentityRow[]> {
  return db
    .selectFrom("external_identities")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** @throws a unique violation if the identity has an account, or the account an identity of this issuer */
export async function insertIdentity(db: Queryable, row: ExternalIdentityRow): Promise<void> {
  await db.insertInto("external_identities").values(row).execute();
}

/**
 * Stores a sign-in by an identity, and what the provider calls the person now.
 * @returns whether a restore has brought it back since its last use
 */
export async function touchIdentity(db: Queryable, key: IdentityKey, label: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("external_identities")
    .set({ restored_at: null })
    .where("issuer", "=", key.issuer)
    .where("subject", "=", key.subject)
    .where("restored_at", "is not", null)
    .executeTakeFirst();
  await db
    .updateTable("external_identities")
    .set({ last_used_at: now, label })
    .where("issuer", "=", key.issuer)
    .where("subject", "=", key.subject)
    .execute();
  return numUpdatedRows > 0n;
}

/** Deletes one identity of an account, or all. @returns the deleted ones */
export async function deleteIdentities(db: Queryable, userId: string, id?: string): Promise<ExternalIdentityRow[]> {
  let query = db.deleteFrom("external_identities").where("user_id", "=", userId);
  if (id !== undefined) query = query.where("id", "=", id);
  return query.returningAll().execute();
}

/** Counts the identities of each issuer that has any. */
export async function countIdentitiesByIssuer(db: Queryable): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("external_identities")
    .select(["issuer", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("issuer")
    .execute();
  return new Map(rows.map(({ issuer, count }) => [issuer, count]));
}
