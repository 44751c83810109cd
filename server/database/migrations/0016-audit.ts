import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Records of administration, in a hash chain. */
export const audit: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("audit_events")
      .addColumn("seq", "bigint", (c) => c.primaryKey())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("actor", "text")
      .addColumn("subject", "text")
      .addColumn("before", "text")
      .addColumn("after", "text")
      .addColumn("hash", "text", (c) => c.notNull())
      .execute();
    await schema.createIndex("audit_events_subject").on("audit_events").columns(["subject", "seq"]).execute();
    await schema.createIndex("audit_events_actor").on("audit_events").columns(["actor", "seq"]).execute();
    await schema
      .createTable("audit_head")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("seq", "bigint", (c) => c.notNull())
      .addColumn("hash", "text", (c) => c.notNull())
      .execute();
  },
};
