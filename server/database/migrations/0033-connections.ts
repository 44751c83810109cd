import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Connections to providers of models, which owners manage in the browser, and the models of all connections. */
export const connections: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("connections")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("slug", "text", (c) => c.notNull().unique())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("base_url", "text", (c) => c.notNull())
      .addColumn("key_encrypted", "text")
      .addColumn("headers_encrypted", "text")
      .addColumn("settings", "text", (c) => c.notNull())
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("is_enabled", "integer", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("updated_at", "bigint", (c) => c.notNull())
      .execute();
    await schema
      .createTable("connection_models")
      .addColumn("slug", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("facts", "text", (c) => c.notNull())
      .addColumn("overrides", "text")
      .addColumn("is_offered", "integer", (c) => c.notNull())
      .addColumn("is_listed", "integer", (c) => c.notNull())
      .addColumn("position", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("connection_models_key", ["slug", "name"])
      .execute();
  },
};
