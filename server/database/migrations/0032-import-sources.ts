import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Adds the source to the ids of imported chats: two products may have equal ids. Until now all were Parley's own. */
export const importSources: Migration = {
  async up(db: Kysely<Schema>) {
    await sql`update chats set imported_from = 'parley:' || imported_from where imported_from is not null`.execute(db);
  },
};
