import { REMEMBERED_DAYS } from "#contract/accounts/second-factor.ts";
import { DAY } from "#contract/limits.ts";
import type { Queryable } from "../../database/schema.ts";

/** Remembers a browser that the account knows. It is forgotten with its row in `devices`. */
export async function rememberBrowser(db: Queryable, userId: string, device: string, now: number): Promise<void> {
  const expiresAt = now + REMEMBERED_DAYS * DAY;
  await db
    .insertInto("remembered_browsers")
    .values({ user_id: userId, device, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(["user_id", "device"]).doUpdateSet({ expires_at: expiresAt }))
    .execute();
}

export async function isRemembered(db: Queryable, userId: string, device: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("remembered_browsers")
    .select("device")
    .where("user_id", "=", userId)
    .where("device", "=", device)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countRemembered(db: Queryable, userId: string, now: number): Promise<number> {
  const { browsers } = await db
    .selectFrom("remembered_browsers")
    .select(({ fn }) => fn.countAll<number>().as("browsers"))
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return Number(browsers);
}

/** Forgets all remembered browsers of an account; `false` if there are none. */
export async function forgetRemembered(db: Queryable, userId: string): Promise<boolean> {
  const gone = await db.deleteFrom("remembered_browsers").where("user_id", "=", userId).returning("device").execute();
  return gone.length > 0;
}

export async function removeExpiredRemembered(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("remembered_browsers").where("expires_at", "<=", now).execute();
}
