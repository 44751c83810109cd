import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Public keys of passkeys (WebAuthn). */
export const passkeys: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("passkeys")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("counter", "bigint", (c) => c.notNull())
      .addColumn("host", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_used_at", "bigint")
      .addColumn("restored_at", "bigint")
      .execute();
    await schema.createIndex("passkeys_account").on("passkeys").column("user_id").execute();
  },
};
