import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Accounts that an administrator has disabled. */
export const disabledAccounts: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema.alterTable("users").addColumn("disabled_at", "bigint").execute();
  },
};
