import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Budgets: sums of each month, and money that is reserved for running calls. */
export const budgets: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("budget_totals")
      .addColumn("scope", "text", (c) => c.notNull())
      .addColumn("month", "text", (c) => c.notNull())
      .addColumn("spent", "bigint", (c) => c.notNull())
      .addColumn("reserved", "bigint", (c) => c.notNull())
      .addColumn("warned", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("budget_totals_key", ["scope", "month"])
      .execute();
    await schema
      .createTable("budget_reservations")
      .addColumn("id", "text", (c) => c.notNull())
      .addColumn("scope", "text", (c) => c.notNull())
      .addColumn("month", "text", (c) => c.notNull())
      // No foreign keys: a row that disappears with its account would leave its amount in the sum for ever.
      .addColumn("user_id", "text", (c) => c.notNull())
      .addColumn("message_id", "text")
      .addColumn("purpose", "text", (c) => c.notNull())
      .addColumn("amount", "bigint", (c) => c.notNull())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addColumn("owner", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("budget_reservations_key", ["id", "scope"])
      .execute();
    await schema
      .createIndex("budget_reservations_message")
      .on("budget_reservations")
      .column("message_id")
      .where(sql.ref("message_id"), "is not", null)
      .execute();
  },
};
