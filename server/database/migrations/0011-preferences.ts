import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Appearance settings and language of an account. */
export const accountPreferences: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema.alterTable("users").addColumn("preferences", "text").execute();
  },
};
