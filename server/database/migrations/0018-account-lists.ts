import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/**
 * Last use of accounts, which outlives their sessions, and indexes of lists of administration. Only the default order of
 * accounts has one: the values of the others change with every use, and 10,000 accounts are sorted in about 20 ms.
 */
export const accountLists: Migration = {
  async up(db: Kysely<Schema>) {
    const { schema } = db;
    await schema
      .alterTable("users")
      .addColumn("last_seen_at", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update users set last_seen_at = coalesce(
      (select max(sessions.last_seen_at) from sessions where sessions.user_id = users.id), 0)`.execute(db);
    await schema.createIndex("users_created").on("users").columns(["created_at", "id"]).execute();
    await schema.createIndex("audit_events_kind").on("audit_events").columns(["kind", "seq"]).execute();
  },
};
