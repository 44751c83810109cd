import type { LastSignIns } from "#contract/accounts/account-settings.ts";
import type { Queryable } from "../../database/schema.ts";
import type { LastSignInRow } from "../../database/tables/sign-in-tables.ts";

type Way = LastSignInRow["way"];

const fields = { password: "password", google: "google", "recovery-code": "recoveryCode" } as const satisfies Record<
  Way,
  keyof LastSignIns
>;

/** Stores that an account has signed in by a way. */
export async function recordSignIn(db: Queryable, userId: string, way: Way, now: number): Promise<void> {
  await db
    .insertInto("last_sign_ins")
    .values({ user_id: userId, way, at: now })
    .onConflict((conflict) => conflict.columns(["user_id", "way"]).doUpdateSet({ at: now }))
    .execute();
}

/** Forgets the last use of a way that is replaced by another credential of its kind. */
export async function forgetSignIn(db: Queryable, userId: string, way: Way): Promise<void> {
  await db.deleteFrom("last_sign_ins").where("user_id", "=", userId).where("way", "=", way).execute();
}

export async function readLastSignIns(db: Queryable, userId: string): Promise<LastSignIns> {
  const rows = await db.selectFrom("last_sign_ins").select(["way", "at"]).where("user_id", "=", userId).execute();
  return Object.fromEntries(rows.map(({ way, at }) => [fields[way], at]));
}
