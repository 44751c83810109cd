import type { Queryable } from "../../database/schema.ts";

/** Returns whether another account than this one is an owner that can sign in. */
export async function hasOtherOwner(db: Queryable, userId: string): Promise<boolean> {
  const other = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "owner")
    .where("id", "!=", userId)
    .where("verified_at", "is not", null)
    .where("disabled_at", "is", null)
    .where("delete_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Returns whether another account than this one is verified. */
export async function hasOtherVerified(db: Queryable, userId: string): Promise<boolean> {
  const other = await db
    .selectFrom("users")
    .select("id")
    .where("id", "!=", userId)
    .where("verified_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
