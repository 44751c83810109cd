import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { markTokens, tokensOf } from "../../text/tokenise.ts";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

/** Messages whose files are read at a time. */
const BATCH = 200;

/**
 * Search entries of attached files, one for each message that names the file; indexes the existing files. Triggers
 * remove them when the message does not name the file any more, whichever statement caused it.
 */
export const searchableFiles: Migration = {
  async up(db: Kysely<Schema>) {
    await db.schema.alterTable("search_entries").addColumn("file_id", "text").execute();
    await db.schema.dropIndex("search_entries_message").execute();
    // An expression, because null differs from null in a unique index. It also serves lookups by the message alone.
    await sql`create unique index search_entries_message
      on search_entries (message_id, coalesce(file_id, ''))`.execute(db);
    await (isOnSqlite(db) ? createSqliteTrigger(db) : createPostgresTrigger(db));
    await indexFiles(db);
  },
};

const removeEntry = "delete from search_entries where message_id = old.message_id and file_id = old.file_id;";

async function createSqliteTrigger(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create trigger message_files_unindexed after delete on message_files begin ${removeEntry} end`)
    .execute(db);
}

async function createPostgresTrigger(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create or replace function message_files_unindexed() returns trigger language plpgsql as
      $$ begin ${removeEntry} return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger message_files_unindexed after delete on message_files
      for each row execute function message_files_unindexed()`)
    .execute(db);
}

type NamedFile = { message_id: string; file_id: string; key: string; name: string } & Described;
type Described = { user_id: string; chat_id: string; role: string; model: string | null; created_at: number };

async function indexFiles(db: Kysely<Schema>): Promise<void> {
  for (let after = ""; ; ) {
    const { rows } = await sql<{ id: string }>`select distinct message_id as id from message_files
      where message_id > ${after} order by id limit ${sql.lit(BATCH)}`.execute(db);
    for (const { id } of rows) {
      after = id;
      await indexFilesOf(db, id);
    }
    if (rows.length < BATCH) return;
  }
}

async function indexFilesOf(db: Kysely<Schema>, messageId: string): Promise<void> {
  const { rows } = await sql<NamedFile>`
    select m.id as message_id, m.user_id, m.chat_id, m.role, m.model, m.created_at, f.id as file_id, f.key, f.name
    from messages m join message_files n on n.message_id = m.id
      join files f on f.user_id = n.user_id and f.id = n.file_id
    where m.id = ${messageId} order by n.position`.execute(db);
  for (const { message_id, file_id, key, name, user_id, chat_id, role, model, created_at } of rows) {
    const stored = await sql<{ text: string }>`select text from file_texts where key = ${key}`.execute(db);
    const marks = [markTokens.user(user_id), markTokens.role(role), ...(model ? [markTokens.model(model)] : [])];
    const tokens = [...marks, ...tokensOf(`${name}\n${stored.rows[0]?.text ?? ""}`)];
    const values = sql`${user_id}, ${chat_id}, ${message_id}, ${file_id}, ${created_at}`;
    if (isOnSqlite(db)) {
      await sql`insert into search_entries (user_id, chat_id, message_id, file_id, at) values (${values})`.execute(db);
      await sql`insert into search_tokens (rowid, tokens) values (last_insert_rowid(), ${tokens.join(" ")})`.execute(
        db,
      );
    } else {
      await sql`insert into search_entries (user_id, chat_id, message_id, file_id, at, tokens)
        values (${values}, array_to_tsvector(${tokens}::text[]))`.execute(db);
    }
  }
}
