import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Replies that can be resumed and have an owning process; change numbers that tabs, devices and processes follow. */
export const liveReplies: Migration = {
  async up(db: Kysely<Schema>) {
    await addToMessages(db);
    await addChanges(db);
    await db.schema
      .createTable("processes")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("lease_until", "bigint", (c) => c.notNull())
      .execute();
  },
};

async function addToMessages({ schema }: Kysely<Schema>) {
  for (const name of ["owner", "requested_model", "seams"]) {
    await schema.alterTable("messages").addColumn(name, "text").execute();
  }
  for (const name of ["run", "truncated", "resumed", "stop_requested"]) {
    await schema
      .alterTable("messages")
      .addColumn(name, "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await schema
    .createIndex("messages_owner")
    .on("messages")
    .column("owner")
    .where(sql.ref("state"), "=", sql.lit("writing"))
    .execute();
}

async function addChanges({ schema }: Kysely<Schema>) {
  await schema
    .alterTable("users")
    .addColumn("change_seq", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable("chats")
    .addColumn("changed_seq", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable("chats")
    .addColumn("unread", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex("chats_changed").on("chats").columns(["user_id", "changed_seq"]).execute();
  await schema
    .createTable("deleted_chats")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("chat_id", "text", (c) => c.notNull())
    .addColumn("changed_seq", "bigint", (c) => c.notNull())
    .addColumn("deleted_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("deleted_chats_pk", ["user_id", "chat_id"])
    .execute();
  await schema.createIndex("deleted_chats_changed").on("deleted_chats").columns(["user_id", "changed_seq"]).execute();
}
