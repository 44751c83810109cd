import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Short codes of invitations, and invitations for trusted networks. */
export const classCodes: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .alterTable("invitations")
      .addColumn("trusted_only", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .createTable("class_codes")
      .addColumn("invitation_id", "text", (c) => c.primaryKey().references("invitations.id").onDelete("cascade"))
      .addColumn("code_hash", "text", (c) => c.notNull().unique())
      .addColumn("tries", "integer", (c) => c.notNull())
      .execute();
  },
};
