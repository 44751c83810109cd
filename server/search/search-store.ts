import { sql } from "kysely";
import type { Role } from "#contract/conversation/conversation.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import type { Queryable, SearchEntryRow } from "../database/schema.ts";

/** Length of the prefix of a text that is used for ranking, in code points. */
export const RANKED_CHARS = 4000;

/** Filter of entries. Words: all must occur. Ids of entries: `below` exclusive, `from` inclusive. */
export type EntryFilter = {
  exact: readonly string[];
  beginnings: readonly string[];
  folder?: string;
  from?: number;
  to?: number;
  ids: { below?: number; from?: number };
};

/** Readable text (bytes of UTF-8) up to which the beginning of a file is ranked: SQLite reads a text as a whole. */
const RANKED_FILE_BYTES = 50_000;

/**
 * An entry with its message, its file or its title. `text`: the beginning of the message or of the file's readable text,
 * or the title; empty for a long file. `file_bytes`: length of the file's whole text.
 */
export type FoundEntry = Pick<SearchEntryRow, "id" | "chat_id" | "message_id" | "file_id" | "at"> & {
  title: string;
  archived: number;
  folder_id: string | null;
  role: Role | null;
  model: string | null;
  file_key: string | null;
  file_name: string | null;
  file_type: string | null;
  file_bytes: number | null;
  text: string;
};

const textOfEntry = sql<string>`case
  when entry.file_id is not null then
    case when files.text_bytes between 1 and ${sql.lit(RANKED_FILE_BYTES)} then coalesce(
      (select substr(text, 1, ${sql.lit(RANKED_CHARS)}) from file_texts where key = files.key), '') else '' end
  else coalesce(substr(messages.content, 1, ${sql.lit(RANKED_CHARS)}), chats.title) end`;

/** Lists the account's newest entries that contain all words, newest first, without entries of deleted chats. */
export async function listEntries(
  db: Queryable,
  userId: string,
  { exact, beginnings, folder, from, to, ids }: EntryFilter,
  limit: number,
): Promise<FoundEntry[]> {
  const { source, matches, id } = isOnSqlite(db)
    ? wordsOnSqlite(exact, beginnings)
    : wordsOnPostgres(exact, beginnings);
  let query = db
    .selectFrom(source.as("entry"))
    .innerJoin("chats", "chats.id", "entry.chat_id")
    .leftJoin("folders", (join) =>
      join.onRef("folders.id", "=", "chats.folder_id").on("folders.deleted_at", "is", null),
    )
    .leftJoin("messages", "messages.id", "entry.message_id")
    .leftJoin("files", (join) =>
      join.onRef("files.user_id", "=", "entry.user_id").onRef("files.id", "=", "entry.file_id"),
    )
    .select(["entry.id", "entry.chat_id", "entry.message_id", "entry.file_id", "entry.at", "chats.title"])
    .select(["chats.archived", "folders.id as folder_id", "messages.role", "messages.model"])
    .select(["files.key as file_key", "files.name as file_name", "files.type as file_type"])
    .select(["files.text_bytes as file_bytes", textOfEntry.as("text")])
    .where(matches)
    .where("entry.user_id", "=", userId)
    .where("chats.user_id", "=", userId)
    .where("chats.deleted_at", "is", null)
    .orderBy(id, "desc")
    .limit(limit);
  if (ids.below !== undefined) query = query.where(id, "<", ids.below);
  if (ids.from !== undefined) query = query.where(id, ">=", ids.from);
  if (folder !== undefined) query = query.where("folders.id", "=", folder);
  if (from !== undefined) query = query.where("entry.at", ">=", from);
  if (to !== undefined) query = query.where("entry.at", "<=", to);
  return query.execute();
}

/** Reads the texts of messages by id, or their first code points. */
export async function listTexts(
  db: Queryable,
  userId: string,
  ids: readonly string[],
  length: number,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("messages")
    .select(["id", sql<string>`substr(content, 1, ${sql.lit(length)})`.as("content")])
    .where("id", "in", ids)
    // An expression, because otherwise SQLite scans the index of the account's messages, which may be a million.
    .where(sql<string>`user_id || ''`, "=", userId)
    .execute();
  return new Map(rows.map(({ id, content }) => [id, content]));
}

/** Reads the whole readable texts of files by key. */
export async function listFileTexts(
  db: Queryable,
  userId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom("file_texts")
    .innerJoin("files", "files.key", "file_texts.key")
    .select(["file_texts.key", "file_texts.text"])
    .where("file_texts.key", "in", keys)
    // An expression, so that the planner looks the keys up.
    .where(sql<string>`files.user_id || ''`, "=", userId)
    .execute();
  return new Map(rows.map(({ key, text }) => [key, text]));
}

/**
 * Runs `work` in one snapshot with a time limit (ms).
 * @throws on PostgreSQL a timeout, which `isDatabaseAway` recognises
 */
export async function withinTime<T>(db: Queryable, limitMs: number, work: (db: Queryable) => Promise<T>): Promise<T> {
  if (db.isTransaction || isOnSqlite(db)) return work(db);
  return db
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await sql`select set_config('statement_timeout', ${String(limitMs)}, true), set_config('jit', 'off', true)`.execute(
        transaction,
      );
      return work(transaction);
    });
}

/** Scans matches by descending id and stops at the limit; in any other order SQLite would collect all matches first. */
function wordsOnSqlite(exact: readonly string[], beginnings: readonly string[]) {
  const match = [...exact.map((word) => `"${word}"`), ...beginnings.map((word) => `"${word}" *`)].join(" AND ");
  return {
    source: sql<SearchEntryRow>`search_tokens as words cross join search_entries`,
    matches: sql<boolean>`words.search_tokens match ${match} and entry.id = words.rowid`,
    id: sql<number>`words.rowid`,
  };
}

function wordsOnPostgres(exact: readonly string[], beginnings: readonly string[]) {
  const query = [...exact.map((word) => `'${word}'`), ...beginnings.map((word) => `'${word}':*`)].join(" & ");
  return {
    source: sql<SearchEntryRow>`search_entries`,
    matches: sql<boolean>`entry.tokens @@ ${query}::tsquery`,
    id: sql<number>`entry.id`,
  };
}
