import type { Queryable } from "../../database/schema.ts";
import type { OwnershipOfferRow } from "../../database/tables/administration-tables.ts";

/** Stores an offer to an account, in place of an earlier one. */
export async function replaceOffer(db: Queryable, offer: OwnershipOfferRow): Promise<void> {
  const { user_id: _, ...values } = offer;
  await db
    .insertInto("ownership_offers")
    .values(offer)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
    .execute();
}

/** Returns the offer with a key, which may have expired. */
export async function findOfferByKey(db: Queryable, keyHash: string): Promise<OwnershipOfferRow | undefined> {
  return db.selectFrom("ownership_offers").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

/** An offer with the username of the offering account. */
export type NamedOffer = OwnershipOfferRow & { owner: string };

/** Returns the offer to an account that can be accepted. */
export async function findOpenOffer(db: Queryable, userId: string, now: number): Promise<NamedOffer | undefined> {
  return db
    .selectFrom("ownership_offers")
    .innerJoin("users", "users.id", "ownership_offers.offered_by")
    .selectAll("ownership_offers")
    .select("users.username as owner")
    .where("user_id", "=", userId)
    .where("ownership_offers.expires_at", ">", now)
    .executeTakeFirst();
}

/** Removes the offer to an account. @returns the removed offer, which may have expired */
export async function removeOfferTo(db: Queryable, userId: string): Promise<OwnershipOfferRow | undefined> {
  return db.deleteFrom("ownership_offers").where("user_id", "=", userId).returningAll().executeTakeFirst();
}

/** Removes the offers that an account has made. */
export async function removeOffersBy(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("ownership_offers").where("offered_by", "=", userId).execute();
}

/** Stores the hash of an open offer's key again; undefined if the offer cannot be accepted any more. */
export async function renewOfferKey(
  db: Queryable,
  { id, keyHash, now }: { id: string; keyHash: string; now: number },
): Promise<OwnershipOfferRow | undefined> {
  return db
    .updateTable("ownership_offers")
    .set({ key_hash: keyHash })
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}

/** Removes offers that have expired. */
export async function removeExpiredOffers(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom("ownership_offers").where("expires_at", "<=", now).execute();
}
