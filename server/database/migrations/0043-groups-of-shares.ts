import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

/**
 * Links for a group name it, because their owner may be moved to another one. A link is as old as its page, whose
 * addresses of files contain the time.
 */
export const groupsOfShares: Migration = {
  async up(db: Kysely<Schema>) {
    await db.schema
      .alterTable("shares")
      .addColumn("group_id", "text", (c) => c.references("account_groups.id").onDelete("set null"))
      .execute();
    await db.schema.createIndex("shares_group").on("shares").column("group_id").execute();
    await db
      .updateTable("shares")
      .set((eb) => ({
        group_id: eb.selectFrom("users").select("users.group_id").whereRef("users.id", "=", "shares.user_id"),
      }))
      .where("audience", "=", "group")
      .execute();
    const createdAt = isOnSqlite(db)
      ? sql<number>`json_extract(share_pages.page, '$.createdAt')`
      : sql<number>`cast(cast(share_pages.page as json) ->> 'createdAt' as bigint)`;
    await db
      .updateTable("shares")
      .from("share_pages")
      .set({ created_at: createdAt })
      .whereRef("share_pages.share_id", "=", "shares.id")
      .execute();
  },
};
