import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Pinned and archived chats, folders, and deletion that can be undone for a while. */
export const organisedChats: Migration = {
  async up(db: Kysely<Schema>) {
    await createFolders(db);
    await addToChats(db);
  },
};

async function createFolders({ schema }: Kysely<Schema>) {
  await schema
    .createTable("folders")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("position", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("deleted_at", "bigint")
    .execute();
  await schema.createIndex("folders_user").on("folders").columns(["user_id", "position"]).execute();
  await schema
    .createIndex("folders_deleted")
    .on("folders")
    .column("deleted_at")
    .where(sql.ref("deleted_at"), "is not", null)
    .execute();
  await schema
    .alterTable("users")
    .addColumn("folders_seq", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
}

async function addToChats({ schema }: Kysely<Schema>) {
  for (const name of ["pinned", "archived"]) {
    await schema
      .alterTable("chats")
      .addColumn(name, "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await schema
    .alterTable("chats")
    .addColumn("folder_id", "text", (c) => c.references("folders.id").onDelete("set null"))
    .execute();
  await schema.alterTable("chats").addColumn("deleted_at", "bigint").execute();
  await schema
    .createIndex("chats_pinned")
    .on("chats")
    .column("user_id")
    .where(sql.ref("pinned"), "=", sql.lit(1))
    .execute();
  await schema
    .createIndex("chats_archived")
    .on("chats")
    .columns(["user_id", "updated_at desc", "id desc"])
    .where(sql.ref("archived"), "=", sql.lit(1))
    .execute();
  await schema
    .createIndex("chats_folder")
    .on("chats")
    .columns(["folder_id", "updated_at desc", "id desc"])
    .where(sql.ref("folder_id"), "is not", null)
    .execute();
  await schema
    .createIndex("chats_deleted")
    .on("chats")
    .column("deleted_at")
    .where(sql.ref("deleted_at"), "is not", null)
    .execute();
}
