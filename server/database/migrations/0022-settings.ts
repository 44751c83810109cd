import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Settings of the installation that owners change while it runs. */
export const settings: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("settings")
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("value", "text", (c) => c.notNull())
      .addColumn("changed_at", "bigint", (c) => c.notNull())
      .execute();
  },
};
