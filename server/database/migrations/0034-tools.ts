import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Tools of chats and presets, approvals of their calls, and what providers must receive back during an answer. */
export const tools: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema.alterTable("chats").addColumn("tools", "text").execute();
    await schema.alterTable("presets").addColumn("tools", "text").execute();
    await schema
      .createTable("provider_turns")
      .addColumn("message_id", "text", (c) => c.notNull().references("messages.id").onDelete("cascade"))
      .addColumn("step", "integer", (c) => c.notNull())
      .addColumn("model", "text", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("provider_turns_key", ["message_id", "step"])
      .execute();
    await schema
      .createTable("tool_approvals")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("chat_id", "text", (c) => c.references("chats.id").onDelete("cascade"))
      .addColumn("server", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("schema_digest", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await schema
      .createIndex("tool_approvals_account")
      .on("tool_approvals")
      .columns(["user_id", "server", "name"])
      .execute();
    await schema.createIndex("tool_approvals_chat").on("tool_approvals").column("chat_id").execute();
    await schema
      .createIndex("messages_waiting")
      .on("messages")
      .column("chat_id")
      .where(sql.ref("state"), "=", sql.lit("waiting"))
      .execute();
  },
};
