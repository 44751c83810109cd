import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Offers of owners to other accounts to become owners. */
export const ownershipOffers: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("ownership_offers")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("key_hash", "text", (c) => c.notNull().unique())
      // One offer at a time: a later one replaces it.
      .addColumn("user_id", "text", (c) => c.notNull().unique().references("users.id").onDelete("cascade"))
      .addColumn("offered_by", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("stays_owner", "integer", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
    await schema.createIndex("ownership_offers_by").on("ownership_offers").column("offered_by").execute();
  },
};
