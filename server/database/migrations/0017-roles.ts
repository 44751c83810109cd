import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Roles of accounts. An upgraded installation has no owner until one is named. */
export const roles: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .alterTable("users")
      .addColumn("role", "text", (c) => c.notNull().defaultTo("person"))
      .execute();
    await schema.createIndex("users_role").on("users").column("role").where("role", "!=", "person").execute();
  },
};
