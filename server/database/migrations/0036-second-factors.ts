import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Codes of authenticator apps and recovery codes, sign-ins between their two steps, and remembered browsers. */
export const secondFactors: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("totp_factors")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("secret_encrypted", "text", (c) => c.notNull())
      .addColumn("last_step", "bigint", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_used_at", "bigint")
      .addColumn("restored_at", "bigint")
      .execute();
    await schema
      .createTable("recovery_codes")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("hash", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "hash"])
      .execute();
    await schema
      .createTable("lost_factors")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("ends_at", "bigint", (c) => c.notNull())
      .execute();
    await schema
      .createTable("sign_in_tickets")
      .addColumn("hash", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("method", "text", (c) => c.notNull())
      .addColumn("device", "text")
      .addColumn("proved_at", "bigint")
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
    await schema.createIndex("sign_in_tickets_account").on("sign_in_tickets").column("user_id").execute();
    await schema
      .createTable("remembered_browsers")
      .addColumn("user_id", "text", (c) => c.notNull())
      .addColumn("device", "text", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("remembered_browsers_key", ["user_id", "device"])
      .addForeignKeyConstraint(
        "remembered_browsers_device",
        ["user_id", "device"],
        "devices",
        ["user_id", "device"],
        (c) => c.onDelete("cascade"),
      )
      .execute();
    await schema
      .alterTable("sign_in_throttles")
      .addColumn("purpose", "text", (c) => c.notNull().defaultTo("password"))
      .execute();
  },
};
