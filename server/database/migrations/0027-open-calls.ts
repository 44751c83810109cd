import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** The call of a running reply, beside the calls that have ended and are counted. */
export const openCalls: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema.alterTable("messages").addColumn("open_call", "text").execute();
  },
};
