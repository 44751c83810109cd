import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

/**
 * Attached files, and which messages name them. Triggers remove a file with the last message that names it, and note
 * the key of each removed file, whichever statement removed its row: foreign keys cascade, so no code sees them all.
 */
export const attachedFiles: Migration = {
  async up(db: Kysely<Schema>) {
    const { schema } = db;
    await schema
      .createTable("files")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("id", "text", (c) => c.notNull())
      .addColumn("key", "text", (c) => c.notNull().unique())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("type", "text")
      .addColumn("size", "integer", (c) => c.notNull())
      .addColumn("width", "integer")
      .addColumn("height", "integer")
      .addColumn("pages", "integer")
      .addColumn("remark", "text")
      .addColumn("text_bytes", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("is_sent", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("files_pk", ["user_id", "id"])
      .execute();
    await schema
      .createIndex("files_unsent")
      .on("files")
      .column("created_at")
      .where(sql.ref("is_sent"), "=", sql.lit(0))
      .execute();
    await schema
      .createTable("file_texts")
      .addColumn("key", "text", (c) => c.primaryKey().references("files.key").onDelete("cascade"))
      .addColumn("text", "text", (c) => c.notNull())
      .execute();
    await schema
      .createTable("message_files")
      .addColumn("message_id", "text", (c) => c.notNull().references("messages.id").onDelete("cascade"))
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("user_id", "text", (c) => c.notNull())
      .addColumn("file_id", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("message_files_pk", ["message_id", "position"])
      .addForeignKeyConstraint("message_files_file", ["user_id", "file_id"], "files", ["user_id", "id"], (key) =>
        key.onDelete("cascade"),
      )
      .execute();
    await schema.createIndex("message_files_by_file").on("message_files").columns(["user_id", "file_id"]).execute();
    await schema
      .createTable("file_removals")
      .addColumn("key", "text", (c) => c.primaryKey())
      .execute();
    await (isOnSqlite(db) ? createSqliteTriggers(db) : createPostgresTriggers(db));
  },
};

const removeUnnamed = `delete from files where user_id = old.user_id and id = old.file_id and not exists
  (select 1 from message_files where user_id = old.user_id and file_id = old.file_id);`;

const noteRemoval = `insert into file_removals (key) values (old.key);
  update users set stored_bytes = stored_bytes - old.size where id = old.user_id;`;

async function createSqliteTriggers(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create trigger message_files_removed after delete on message_files begin ${removeUnnamed} end`)
    .execute(db);
  await sql.raw(`create trigger files_removed after delete on files begin ${noteRemoval} end`).execute(db);
}

async function createPostgresTriggers(db: Kysely<Schema>): Promise<void> {
  for (const [table, body] of [
    ["message_files", removeUnnamed],
    ["files", noteRemoval],
  ]) {
    const name = `${table}_removed`;
    await sql
      .raw(`create or replace function ${name}() returns trigger language plpgsql as
        $$ begin ${body} return null; end $$`)
      .execute(db);
    await sql
      .raw(`create trigger ${name} after delete on ${table} for each row execute function ${name}()`)
      .execute(db);
  }
}
