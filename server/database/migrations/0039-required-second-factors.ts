import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Requirements of accounts and groups to have a second factor, and tickets of sign-ins that set one up. */
export const requiredSecondFactors: Migration = {
  async up({ schema }: Kysely<Schema>) {
    for (const table of ["users", "account_groups"]) {
      await schema
        .alterTable(table)
        .addColumn("needs_second_factor", "integer", (c) => c.notNull().defaultTo(0))
        .execute();
    }
    await schema
      .alterTable("sign_in_tickets")
      .addColumn("purpose", "text", (c) => c.notNull().defaultTo("code"))
      .execute();
  },
};
