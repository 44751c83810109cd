import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Parts of messages beside their text, efforts of reasoning, and shares of token counts. */
export const messageParts: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("message_parts")
      .addColumn("message_id", "text", (c) => c.notNull().references("messages.id").onDelete("cascade"))
      .addColumn("seq", "integer", (c) => c.notNull())
      .addColumn("at", "integer", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull())
      .addColumn("run", "integer", (c) => c.notNull())
      .addColumn("rev", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("message_parts_pk", ["message_id", "seq"])
      .execute();
    await schema
      .createTable("reasoning_chunks")
      .addColumn("message_id", "text", (c) => c.notNull().references("messages.id").onDelete("cascade"))
      .addColumn("seq", "integer", (c) => c.notNull())
      .addColumn("at", "integer", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("reasoning_chunks_pk", ["message_id", "seq", "at"])
      .execute();
    await schema
      .alterTable("messages")
      .addColumn("rev", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    for (const table of ["chats", "presets"]) await schema.alterTable(table).addColumn("effort", "text").execute();
    for (const name of ["cached_input_tokens", "cache_write_tokens", "reasoning_tokens"]) {
      await schema.alterTable("model_calls").addColumn(name, "integer").execute();
    }
  },
};
