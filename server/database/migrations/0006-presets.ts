import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Instructions of the account and of chats, and presets: instructions, model and temperature under a name. */
export const presets: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("presets")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("instructions", "text", (c) => c.notNull())
      .addColumn("model", "text")
      .addColumn("temperature", "double precision")
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("deleted_at", "bigint")
      .execute();
    await schema.createIndex("presets_user").on("presets").columns(["user_id", "position"]).execute();
    await schema
      .createIndex("presets_deleted")
      .on("presets")
      .column("deleted_at")
      .where(sql.ref("deleted_at"), "is not", null)
      .execute();
    await schema
      .alterTable("users")
      .addColumn("presets_seq", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    for (const table of ["users", "chats"] as const) {
      await schema
        .alterTable(table)
        .addColumn("instructions", "text", (c) => c.notNull().defaultTo(""))
        .execute();
    }
    await schema
      .alterTable("chats")
      .addColumn("preset_id", "text", (c) => c.references("presets.id").onDelete("set null"))
      .execute();
    await schema
      .createIndex("chats_preset")
      .on("chats")
      .column("preset_id")
      .where(sql.ref("preset_id"), "is not", null)
      .execute();
  },
};
