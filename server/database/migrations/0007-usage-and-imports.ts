import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Usage and cost of provider calls, and the origin of imported chats. */
export const usageAndImports: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("model_calls")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      // No foreign key: usage stays counted after its chat is deleted.
      .addColumn("message_id", "text")
      .addColumn("purpose", "text", (c) => c.notNull())
      .addColumn("model", "text", (c) => c.notNull())
      .addColumn("input_tokens", "integer")
      .addColumn("output_tokens", "integer")
      .addColumn("is_estimate", "integer", (c) => c.notNull())
      .addColumn("cost_nano_usd", "bigint")
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("duration_ms", "integer")
      .execute();
    await schema.createIndex("model_calls_user").on("model_calls").columns(["user_id", "at"]).execute();
    await schema
      .createIndex("model_calls_message")
      .on("model_calls")
      .column("message_id")
      .where(sql.ref("message_id"), "is not", null)
      .execute();
    await schema.alterTable("chats").addColumn("imported_from", "text").execute();
    await schema
      .createIndex("chats_imported")
      .on("chats")
      .columns(["user_id", "imported_from"])
      .unique()
      .where(sql.ref("imported_from"), "is not", null)
      .execute();
  },
};
