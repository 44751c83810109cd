import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/**
 * Devices, security log, rate limits, mailed keys for more purposes than verification, scheduled deletion of accounts.
 */
export const trustedAccounts: Migration = {
  async up(db: Kysely<Schema>) {
    await addToAccounts(db);
    await createRecords(db);
    await createLimits(db);
    // Counts the replies of an account that are being written.
    await db.schema
      .createIndex("messages_user_writing")
      .on("messages")
      .column("user_id")
      .where(sql.ref("state"), "=", sql.lit("writing"))
      .execute();
  },
};

async function addToAccounts({ schema }: Kysely<Schema>) {
  await schema.alterTable("users").addColumn("delete_at", "bigint").execute();
  await schema
    .alterTable("users")
    .addColumn("password_confirmed", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await schema
    .createIndex("users_delete")
    .on("users")
    .column("delete_at")
    .where(sql.ref("delete_at"), "is not", null)
    .execute();
  await schema.alterTable("sessions").addColumn("device", "text").execute();
  for (const name of ["user_agent", "ip"]) {
    await schema
      .alterTable("sessions")
      .addColumn(name, "text", (c) => c.notNull().defaultTo(""))
      .execute();
  }
  await schema
    .alterTable("sessions")
    .addColumn("method", "text", (c) => c.notNull().defaultTo("password"))
    .execute();
  await schema
    .alterTable("sessions")
    .addColumn("proved_at", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  for (const name of ["address", "device"]) await schema.alterTable("email_keys").addColumn(name, "text").execute();
  await schema.dropIndex("email_keys_user").execute();
  // One valid key for each purpose; but an attacker who takes an account over must not invalidate the key by which its
  // owner undoes that.
  await schema
    .createIndex("email_keys_user")
    .on("email_keys")
    .columns(["user_id", "purpose"])
    .unique()
    .where(sql.ref("purpose"), "!=", sql.lit("undo-email"))
    .execute();
}

async function createRecords({ schema }: Kysely<Schema>) {
  await schema
    .createTable("devices")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("device", "text", (c) => c.notNull())
    .addColumn("first_seen_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("devices_pk", ["user_id", "device"])
    .execute();
  await schema
    .createTable("security_events")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("ip", "text", (c) => c.notNull())
    .addColumn("user_agent", "text", (c) => c.notNull())
    .execute();
  await schema.createIndex("security_events_user").on("security_events").columns(["user_id", "id desc"]).execute();
  await schema.createIndex("security_events_at").on("security_events").column("at").execute();
}

async function createLimits({ schema }: Kysely<Schema>) {
  await schema
    .createTable("limits")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("count", "integer", (c) => c.notNull())
    .addColumn("resets_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("limits_resets").on("limits").column("resets_at").execute();
  await schema
    .createTable("sign_in_throttles")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("next_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("sign_in_throttles_user").on("sign_in_throttles").column("user_id").execute();
  await schema
    .createIndex("sign_in_throttles_unknown")
    .on("sign_in_throttles")
    .column("updated_at")
    .where(sql.ref("user_id"), "is", null)
    .execute();
}
