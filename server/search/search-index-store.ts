import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import { prepared } from "../database/prepared.ts";
import type { ChatRow, Database, MessageRow, Queryable, SearchEntryRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { markTokens, tokensInSlices, tokensOf } from "../text/tokenise.ts";

/** Indexed fields of a message. A running reply is found by the text that it had before this run. */
export type IndexedMessage = Pick<
  MessageRow,
  "id" | "user_id" | "chat_id" | "role" | "model" | "content" | "created_at"
>;
/** Indexed fields of a chat's title. */
export type IndexedTitle = Pick<ChatRow, "id" | "user_id" | "title" | "updated_at">;

type NewEntry = Omit<SearchEntryRow, "id"> & { tokens: string[] };

/**
 * Limits of one deletion on SQLite, which overwrites each deleted word: few entries of few characters, or one entry.
 */
const REMOVED_AT_ONCE = 5;
const REMOVED_CHARS = 5000;
/** PostgreSQL only marks deleted rows, and does not block the event loop. */
const REMOVED_AT_ONCE_ON_POSTGRES = 500;

/** Number of tokens above which indexing on SQLite yields to the event loop. */
const LONG_TOKENS = 2000;

/** Tokens by text. */
export type TextTokens = ReadonlyMap<string, readonly string[]>;
/** Tokens of files by their id, of one account. */
export type FileTokens = ReadonlyMap<string, readonly string[]>;

/** Names of the tools that messages have called, by the message's id. */
export type ToolNames = ReadonlyMap<string, readonly string[]>;

const noTokens: TextTokens = new Map();
const noTools: ToolNames = new Map();

/**
 * Tokenises texts for {@link indexMessages}, before its transaction, because a text of a million characters takes
 * seconds. Within a transaction it would block other writers on SQLite, and on PostgreSQL the idle connection would
 * time out.
 */
export async function tokenise(texts: Iterable<string>): Promise<TextTokens> {
  const tokens = new Map<string, readonly string[]>();
  for (const text of texts) if (!tokens.has(text)) tokens.set(text, await tokensInSlices(text));
  return tokens;
}

/**
 * Tokenises files of an account for {@link indexFiles}, before its transaction, as {@link tokenise} does. Unknown ids
 * have no tokens. The caller should pass the files of few messages: each file may have 20,000 tokens.
 */
export async function tokeniseFiles(db: Queryable, userId: string, ids: readonly string[]): Promise<FileTokens> {
  const tokens = new Map<string, readonly string[]>();
  // One after the other, because ten texts may take 60 MB of memory.
  for (const id of ids) {
    const file = await findFileToIndex(db, userId, id);
    // The name precedes the text, so that all of it is indexed.
    if (file) tokens.set(id, await tokensInSlices(`${file.name}\n${file.text ?? ""}`));
  }
  return tokens;
}

async function findFileToIndex(db: Queryable, userId: string, id: string) {
  return (
    db
      .selectFrom("files")
      .leftJoin("file_texts", "file_texts.key", "files.key")
      .select(["files.name", "file_texts.text"])
      .where("files.user_id", "=", userId)
      .where("files.id", "=", id)
      // The text of an incomplete upload is not known yet.
      .where("files.type", "is not", null)
      .executeTakeFirst()
  );
}

/**
 * Indexes the files that messages name and that have no entry yet, in the transaction that names them. Each file of each
 * message has an entry of its own, which filters treat like the message. A trigger removes it with its row of
 * `message_files`.
 * @param tokens tokens of these files, as {@link tokeniseFiles} returns them
 * @throws Failure `file-gone` if a file has none: it was incomplete when it was tokenised
 */
export async function indexFiles(
  db: Queryable,
  userId: string,
  messageIds: readonly string[],
  tokens: FileTokens,
): Promise<void> {
  if (messageIds.length === 0) return;
  const named = await listUnindexed(db, userId, messageIds);
  const entries = named.map(({ id, file_id, user_id, chat_id, created_at: at, ...marks }): NewEntry => {
    const words = tokens.get(file_id);
    if (!words) throw new Failure("file-gone");
    return { user_id, chat_id, message_id: id, file_id, at, tokens: [...marksOf({ user_id, ...marks }), ...words] };
  });
  await insertEntries(db, entries);
}

async function listUnindexed(db: Queryable, userId: string, messageIds: readonly string[]) {
  return db
    .selectFrom("message_files as named")
    .innerJoin("messages", "messages.id", "named.message_id")
    .select(["messages.id", "messages.user_id", "messages.chat_id", "messages.role", "messages.model"])
    .select(["messages.created_at", "named.file_id"])
    .distinct()
    .where("messages.id", "in", messageIds)
    .where("messages.user_id", "=", userId)
    .where(
      sql<boolean>`not exists (select 1 from search_entries as entry
        where entry.message_id = named.message_id and entry.file_id = named.file_id)`,
    )
    .orderBy("messages.id")
    .orderBy("named.file_id")
    .execute();
}

/** Returns the tokens by which filters find a message. */
function marksOf({ user_id, role, model }: Pick<IndexedMessage, "user_id" | "role" | "model">): string[] {
  return [markTokens.user(user_id), markTokens.role(role), ...(model ? [markTokens.model(model)] : [])];
}

/**
 * Indexes new messages in the transaction that has stored them. Empty messages, such as new replies, are skipped.
 * `tokens`: tokens of the texts of all others. `tools`: by which a message is found too.
 */
export async function indexMessages(
  db: Queryable,
  messages: readonly IndexedMessage[],
  tokens: TextTokens = noTokens,
  tools: ToolNames = noTools,
): Promise<void> {
  const entries: NewEntry[] = [];
  for (const message of messages) {
    const { id, user_id, chat_id, content, created_at: at } = message;
    if (content === "") continue;
    const words = tokens.get(content);
    if (!words) throw new Error("A message is indexed whose text was not tokenised");
    const names = (tools.get(id) ?? []).flatMap(tokensOf);
    const all = names.length === 0 ? words : new Set([...words, ...names]);
    entries.push({ user_id, chat_id, message_id: id, file_id: null, at, tokens: [...marksOf(message), ...all] });
  }
  await insertEntries(db, entries);
}

const removeEntry = prepared((db, { messageId }: { messageId: string }) =>
  db.deleteFrom("search_entries").where("message_id", "=", messageId).where("file_id", "is", null),
);

/** Indexes a changed message again, in the transaction that changes it. An empty one is removed from the index. */
export async function reindexMessage(
  db: Queryable,
  message: IndexedMessage,
  tokens: TextTokens,
  tools?: ToolNames,
): Promise<void> {
  await removeEntry(db, { messageId: message.id });
  await indexMessages(db, [message], tokens, tools);
}

/** Indexes a chat's new title, in the transaction that sets it. */
export async function indexTitle(db: Queryable, { id, user_id, title, updated_at: at }: IndexedTitle): Promise<void> {
  await db.deleteFrom("search_entries").where("chat_id", "=", id).where("message_id", "is", null).execute();
  const tokens = [markTokens.user(user_id), ...tokensOf(title)];
  await insertEntries(db, [{ user_id, chat_id: id, message_id: null, file_id: null, at, tokens }]);
}

/**
 * Removes some of an account's search entries, before its messages are removed: all at once would block SQLite for
 * long.
 * @returns whether there may be more
 */
export async function removeEntries(db: Database, userId: string, chatId?: string): Promise<boolean> {
  const ids = await listSome(db, userId, chatId);
  if (ids.length > 0) await db.deleteFrom("search_entries").where("id", "in", ids).execute();
  // SQLite is synchronous, so yield to the event loop.
  await setImmediate();
  return ids.length > 0;
}

/** Lists entries that may be removed in one step. */
async function listSome(db: Queryable, userId: string, chatId: string | undefined): Promise<number[]> {
  let entries = db.selectFrom("search_entries as entry").select("entry.id").where("entry.user_id", "=", userId);
  if (chatId !== undefined) entries = entries.where("entry.chat_id", "=", chatId);
  if (!isOnSqlite(db)) return idsOf(await entries.limit(REMOVED_AT_ONCE_ON_POSTGRES).execute());
  const some = await entries
    .leftJoin("messages", "messages.id", "entry.message_id")
    .leftJoin("files", (join) =>
      join.onRef("files.user_id", "=", "entry.user_id").onRef("files.id", "=", "entry.file_id"),
    )
    .select(
      sql<number>`case when entry.file_id is null then coalesce(length(messages.content), 0)
        else coalesce(files.text_bytes, 0) end`.as("chars"),
    )
    .limit(REMOVED_AT_ONCE)
    .execute();
  let chars = 0;
  const end = some.findIndex((entry) => {
    chars += entry.chars;
    return chars > REMOVED_CHARS;
  });
  return idsOf(end === -1 ? some : some.slice(0, Math.max(1, end)));
}

const idsOf = (entries: readonly { id: number }[]) => entries.map(({ id }) => id);

const insertEntry = prepared((db, entry: Omit<SearchEntryRow, "id">) =>
  db.insertInto("search_entries").values(entry).returning("id"),
);
const insertTokens = prepared((db, { id, tokens }: { id: number; tokens: string }) => ({
  compile: () => sql`insert into search_tokens (rowid, tokens) values (${id}, ${tokens})`.compile(db),
}));

async function insertEntries(db: Queryable, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  if (!isOnSqlite(db)) {
    const rows = entries.map(({ tokens, ...entry }) => ({
      ...entry,
      tokens: sql<string>`array_to_tsvector(${tokens}::text[])`,
    }));
    await db.insertInto("search_entries").values(rows).execute();
    return;
  }
  for (const { tokens, ...entry } of entries) {
    for (const { id } of await insertEntry(db, entry)) await insertTokens(db, { id, tokens: tokens.join(" ") });
    // Such a statement takes up to 20 ms, and a question may have ten long files.
    if (tokens.length > LONG_TOKENS) await setImmediate();
  }
}
