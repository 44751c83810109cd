import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Groups of accounts, with their models and budgets; own budgets of accounts. */
export const groups: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("account_groups")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("name_key", "text", (c) => c.notNull().unique())
      .addColumn("models", "text")
      .addColumn("default_model", "text")
      .addColumn("quota_mb", "integer")
      .addColumn("budget", "bigint")
      .addColumn("member_budget", "bigint")
      .addColumn("time_zone", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await schema
      .alterTable("users")
      .addColumn("group_id", "text", (c) => c.references("account_groups.id").onDelete("set null"))
      .execute();
    await schema.alterTable("users").addColumn("budget", "bigint").execute();
    await schema.createIndex("users_group").on("users").column("group_id").where("group_id", "is not", null).execute();
    await schema
      .alterTable("invitations")
      .addColumn("group_id", "text", (c) => c.references("account_groups.id").onDelete("set null"))
      .execute();
    await schema
      .createIndex("invitations_group")
      .on("invitations")
      .column("group_id")
      .where("group_id", "is not", null)
      .execute();
  },
};
