import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Which chats of other services an account has imported, also after it has deleted them. */
export const importedOrigins: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("imported_origins")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("digest", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("imported_origins_key", ["user_id", "digest"])
      .execute();
  },
};
