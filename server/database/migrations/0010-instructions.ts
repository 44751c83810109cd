import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Sequence number of the last change of an account's instructions. */
export const instructionsChanges: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .alterTable("users")
      .addColumn("instructions_seq", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
