import type { Queryable } from "../../database/schema.ts";

/** Returns whether an account is an owner that can sign in. @param except id of an account that does not count */
export async function hasOwner(db: Queryable, except?: string): Promise<boolean> {
  const owners = verified(db, except)
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .where("delete_at", "is", null);
  return (await owners.executeTakeFirst()) !== undefined;
}

/** Returns whether an account is verified. @param except id of an account that does not count */
export async function hasVerified(db: Queryable, except?: string): Promise<boolean> {
  return (await verified(db, except).executeTakeFirst()) !== undefined;
}

/** Returns whether at least two accounts are verified. @param except id of an account that does not count */
export async function hasSeveralVerified(db: Queryable, except: string): Promise<boolean> {
  return (await verified(db, except).limit(2).execute()).length === 2;
}

function verified(db: Queryable, except: string | undefined) {
  const query = db.selectFrom("users").select("id").where("verified_at", "is not", null).limit(1);
  return except === undefined ? query : query.where("id", "!=", except);
}
