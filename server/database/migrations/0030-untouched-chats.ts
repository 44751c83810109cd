import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** The hourly sweep finds empty chats without reading all chats. */
export const untouchedChats: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createIndex("chats_empty")
      .on("chats")
      .column("created_at")
      .where(sql.ref("leaf"), "is", null)
      .where(sql.ref("deleted_at"), "is", null)
      .execute();
  },
};
