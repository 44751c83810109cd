import type { Queryable } from "../database/schema.ts";

/** Returns whether an invitation was ever created and is still stored. */
export async function hasInvitation(db: Queryable): Promise<boolean> {
  return (await db.selectFrom("invitations").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Returns whether more than one account is verified. */
export async function hasSeveralAccounts(db: Queryable): Promise<boolean> {
  const verified = db.selectFrom("users").select("id").where("verified_at", "is not", null).limit(2);
  return (await verified.execute()).length > 1;
}
