import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

/**
 * Links to snapshots of chats. They own files beside messages, and their pages count in the stored bytes of accounts:
 * triggers, because foreign keys remove rows of both.
 */
export const shares: Migration = {
  async up(db: Kysely<Schema>) {
    await createTables(db.schema);
    await db.schema
      .alterTable("account_groups")
      .addColumn("may_share", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
    await (isOnSqlite(db) ? createSqliteTriggers(db) : createPostgresTriggers(db));
  },
};

async function createTables(schema: Kysely<Schema>["schema"]): Promise<void> {
  await schema
    .createTable("shares")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("chat_id", "text", (c) => c.notNull().references("chats.id").onDelete("cascade"))
    .addColumn("token_hash", "text", (c) => c.unique())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("leaf", "text")
    .addColumn("options", "text", (c) => c.notNull())
    .addColumn("audience", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("published_at", "bigint")
    .addColumn("expires_at", "bigint")
    .addColumn("visits", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("bytes", "integer", (c) => c.notNull())
    .execute();
  await schema.createIndex("shares_account").on("shares").columns(["user_id", "id"]).execute();
  await schema.createIndex("shares_chat").on("shares").column("chat_id").execute();
  await schema
    .createTable("share_pages")
    .addColumn("share_id", "text", (c) => c.primaryKey().references("shares.id").onDelete("cascade"))
    .addColumn("page", "text", (c) => c.notNull())
    .addColumn("messages", "text", (c) => c.notNull())
    .execute();
  await schema
    .createTable("share_files")
    .addColumn("share_id", "text", (c) => c.notNull().references("shares.id").onDelete("cascade"))
    .addColumn("position", "integer", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("file_id", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("share_files_pk", ["share_id", "position"])
    .addForeignKeyConstraint("share_files_file", ["user_id", "file_id"], "files", ["user_id", "id"], (key) =>
      key.onDelete("cascade"),
    )
    .execute();
  await schema.createIndex("share_files_by_file").on("share_files").columns(["user_id", "file_id"]).execute();
}

const owners = ["message_files", "share_files"] as const;

const isUnnamed = owners
  .map((table) => `not exists (select 1 from ${table} where user_id = old.user_id and file_id = old.file_id)`)
  .join(" and ");

const removeUnnamed = `delete from files where user_id = old.user_id and id = old.file_id and ${isUnnamed};`;

const uncount = "update users set stored_bytes = stored_bytes - old.bytes where id = old.user_id;";

async function createSqliteTriggers(db: Kysely<Schema>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run("drop trigger message_files_removed");
  for (const table of owners) {
    await run(`create trigger ${table}_removed after delete on ${table} begin ${removeUnnamed} end`);
  }
  await run(`create trigger shares_removed after delete on shares begin ${uncount} end`);
}

async function createPostgresTriggers(db: Kysely<Schema>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const write = (name: string, body: string) =>
    run(`create or replace function ${name}() returns trigger language plpgsql as
      $$ begin ${body} return null; end $$`);
  const attach = (name: string, table: string) =>
    run(`create trigger ${name} after delete on ${table} for each row execute function ${name}()`);
  // Locked first: see the migration of named files.
  const lock = "perform 1 from files where user_id = old.user_id and id = old.file_id for update;";
  for (const table of owners) await write(`${table}_removed`, `${lock} ${removeUnnamed}`);
  await attach("share_files_removed", "share_files");
  await write("shares_removed", uncount);
  await attach("shares_removed", "shares");
}
