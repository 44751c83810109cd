import { sql } from "kysely";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import { prepared } from "../database/prepared.ts";
import type { ChatRow, Database, MessageRow, Queryable, SearchEntryRow } from "../database/schema.ts";
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

/** Tokens by text. */
export type TextTokens = ReadonlyMap<string, readonly string[]>;

const noTokens: TextTokens = new Map();

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
 * Indexes new messages in the transaction that has stored them. Empty messages, such as new replies, are skipped.
 * `tokens`: tokens of the texts of all others.
 */
export async function indexMessages(
  db: Queryable,
  messages: readonly IndexedMessage[],
  tokens: TextTokens = noTokens,
): Promise<void> {
  const entries: NewEntry[] = [];
  for (const { id, user_id, chat_id, role, model, content, created_at: at } of messages) {
    if (content === "") continue;
    const marks = [markTokens.user(user_id), markTokens.role(role), ...(model ? [markTokens.model(model)] : [])];
    const words = tokens.get(content);
    if (!words) throw new Error("A message is indexed whose text was not tokenised");
    entries.push({ user_id, chat_id, message_id: id, at, tokens: [...marks, ...words] });
  }
  await insertEntries(db, entries);
}

const removeEntry = prepared((db, { messageId }: { messageId: string }) =>
  db.deleteFrom("search_entries").where("message_id", "=", messageId),
);

/** Indexes a changed message again, in the transaction that changes it. An empty one is removed from the index. */
export async function reindexMessage(db: Queryable, message: IndexedMessage, tokens: TextTokens): Promise<void> {
  await removeEntry(db, { messageId: message.id });
  await indexMessages(db, [message], tokens);
}

/** Indexes a chat's new title, in the transaction that sets it. */
export async function indexTitle(db: Queryable, { id, user_id, title, updated_at: at }: IndexedTitle): Promise<void> {
  await db.deleteFrom("search_entries").where("chat_id", "=", id).where("message_id", "is", null).execute();
  const tokens = [markTokens.user(user_id), ...tokensOf(title)];
  await insertEntries(db, [{ user_id, chat_id: id, message_id: null, at, tokens }]);
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
  await new Promise(setImmediate);
  return ids.length > 0;
}

/** Lists entries that may be removed in one step. */
async function listSome(db: Queryable, userId: string, chatId: string | undefined): Promise<number[]> {
  let entries = db.selectFrom("search_entries as entry").select("entry.id").where("entry.user_id", "=", userId);
  if (chatId !== undefined) entries = entries.where("entry.chat_id", "=", chatId);
  if (!isOnSqlite(db)) return idsOf(await entries.limit(REMOVED_AT_ONCE_ON_POSTGRES).execute());
  const some = await entries
    .leftJoin("messages", "messages.id", "entry.message_id")
    .select(sql<number>`coalesce(length(messages.content), 0)`.as("chars"))
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
  }
}
