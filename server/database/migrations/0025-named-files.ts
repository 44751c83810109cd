import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

/**
 * Removes a file with the last message that names it, judged after its row is locked. PostgreSQL judges a `delete` that
 * had to wait for a lock by the names at the statement's beginning, and would remove a file that the transaction which
 * held the lock has just named. Each statement of a function sees what was committed before it. SQLite has one writer.
 */
export const namedFiles: Migration = {
  async up(db: Kysely<Schema>) {
    if (isOnSqlite(db)) return;
    await sql
      .raw(`create or replace function message_files_removed() returns trigger language plpgsql as
        $$ begin
          perform 1 from files where user_id = old.user_id and id = old.file_id for update;
          delete from files where user_id = old.user_id and id = old.file_id and not exists
            (select 1 from message_files where user_id = old.user_id and file_id = old.file_id);
          return null;
        end $$`)
      .execute(db);
  },
};
