import { type Kysely, SqliteAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { markTokens, tokensOf } from "../../text/tokenise.ts";
import type { Schema } from "../schema.ts";

const BATCH = 500;

/** Search index of messages and titles; indexes the existing ones. */
export const search: Migration = {
  async up(db: Kysely<Schema>) {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    await createEntries(db, isSqlite);
    await (isSqlite ? createWordsOnSqlite(db) : createWordsOnPostgres(db));
    const insert = isSqlite ? insertOnSqlite : insertOnPostgres;
    await indexTitles(db, insert);
    await indexMessages(db, insert);
  },
};

async function createEntries({ schema }: Kysely<Schema>, isSqlite: boolean) {
  await schema
    .createTable("search_entries")
    // Ascending: newer entries have larger ids.
    .addColumn("id", isSqlite ? "integer" : "bigint", (c) =>
      isSqlite ? c.primaryKey() : c.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("chat_id", "text", (c) => c.notNull().references("chats.id").onDelete("cascade"))
    .addColumn("message_id", "text", (c) => c.references("messages.id").onDelete("cascade"))
    .addColumn("at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("search_entries_user").on("search_entries").columns(["user_id", "id"]).execute();
  await schema.createIndex("search_entries_chat").on("search_entries").columns(["chat_id", "message_id"]).execute();
  await schema.createIndex("search_entries_message").on("search_entries").column("message_id").unique().execute();
}

/** Full-text index without positions of words. Deleted text is removed from it at once, which small pages make fast. */
async function createWordsOnSqlite(db: Kysely<Schema>) {
  await sql`create virtual table search_tokens using fts5 (tokens, tokenize = 'ascii', detail = none)`.execute(db);
  await sql`insert into search_tokens (search_tokens, rank) values ('secure-delete', 1)`.execute(db);
  await sql`insert into search_tokens (search_tokens, rank) values ('pgsz', 1000)`.execute(db);
  await sql`create trigger search_entries_deleted after delete on search_entries begin
    delete from search_tokens where rowid = old.id; end`.execute(db);
}

async function createWordsOnPostgres(db: Kysely<Schema>) {
  await sql`alter table search_entries add column tokens tsvector not null`.execute(db);
  await sql`create index search_entries_tokens on search_entries using gin (tokens)`.execute(db);
}

type Described = { user_id: string; chat_id: string; message_id: string | null; at: number };
type Insert = (db: Kysely<Schema>, entry: Described, tokens: string[]) => Promise<void>;

const insertOnSqlite: Insert = async (db, { user_id, chat_id, message_id, at }, tokens) => {
  await sql`insert into search_entries (user_id, chat_id, message_id, at)
    values (${user_id}, ${chat_id}, ${message_id}, ${at})`.execute(db);
  await sql`insert into search_tokens (rowid, tokens) values (last_insert_rowid(), ${tokens.join(" ")})`.execute(db);
};

const insertOnPostgres: Insert = async (db, { user_id, chat_id, message_id, at }, tokens) => {
  await sql`insert into search_entries (user_id, chat_id, message_id, at, tokens)
    values (${user_id}, ${chat_id}, ${message_id}, ${at}, array_to_tsvector(${tokens}::text[]))`.execute(db);
};

async function indexTitles(db: Kysely<Schema>, insert: Insert) {
  for (let after = ""; ; ) {
    const chats = await db
      .selectFrom("chats")
      .select(["id", "user_id", "title", "title_origin", "updated_at"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    for (const { id, user_id, title, title_origin, updated_at: at } of chats) {
      after = id;
      if (title_origin === "default") continue;
      const tokens = [markTokens.user(user_id), ...tokensOf(title)];
      await insert(db, { user_id, chat_id: id, message_id: null, at }, tokens);
    }
    if (chats.length < BATCH) return;
  }
}

async function indexMessages(db: Kysely<Schema>, insert: Insert) {
  for (let after = ""; ; ) {
    const messages = await db
      .selectFrom("messages")
      .select(["id", "user_id", "chat_id", "role", "model", "content", "created_at"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    for (const { id, user_id, chat_id, role, model, content, created_at: at } of messages) {
      after = id;
      if (content === "") continue;
      const marks = [markTokens.user(user_id), markTokens.role(role), ...(model ? [markTokens.model(model)] : [])];
      await insert(db, { user_id, chat_id, message_id: id, at }, [...marks, ...tokensOf(content)]);
    }
    if (messages.length < BATCH) return;
  }
}
