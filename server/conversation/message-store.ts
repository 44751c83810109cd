import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Message } from "#contract/conversation/conversation.ts";
import { RUNNING } from "#contract/conversation/reply-state.ts";
import { type ErrorCode, isErrorCode } from "#contract/errors.ts";
import { prepared, preparedForRows } from "../database/prepared.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import { indexMessages, type TextTokens, type ToolNames } from "../search/search-index-store.ts";
import { parseSeams, visibleSeams } from "../text/seams.ts";
import { isBehindCall, type MessageContent, toMessagePart } from "./parts/message-part.ts";

/** Reads messages in the order of `ids`; deleted ones are left out. */
export async function listMessages(db: Queryable, userId: string, ids: readonly string[]): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom("messages")
    .selectAll()
    .where("id", "in", ids)
    // An expression, so that SQLite's planner does not read all messages of the account by the index of `user_id`.
    .where(sql<string>`user_id || ''`, "=", userId)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Reads a single message of SQLite, with its text as bytes: decoding 3 MB of non-ASCII text takes 20 ms in SQLite's
 * binding, and 5 ms with Node's buffers.
 */
export async function listLongMessage(db: Queryable, userId: string, id: string): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom("messages")
    .select(columnsBesideText)
    .select(sql<Uint8Array>`cast(content as blob)`.as("content"))
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .execute();
  await setImmediate();
  return rows.map(({ content, ...row }) => {
    return { ...row, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString() };
  });
}

const columnsBesideText = [
  "id",
  "chat_id",
  "user_id",
  "role",
  "state",
  "model",
  "error_code",
  "input_tokens",
  "output_tokens",
  "created_at",
  "ended_at",
  "owner",
  "run",
  "requested_model",
  "seams",
  "truncated",
  "resumed",
  "stop_requested",
  "rev",
  "open_call",
  "parent",
] as const satisfies readonly (keyof MessageRow)[];

const selectMessage = prepared((db, { userId, id }: { userId: string; id: string }) =>
  db.selectFrom("messages").selectAll().where("id", "=", id).where("user_id", "=", userId),
);

export async function findMessage(db: Queryable, userId: string, id: string): Promise<MessageRow | undefined> {
  const [row] = await selectMessage(db, { userId, id });
  return row;
}

/** Finds the running reply of a chat. */
export async function findWriting(db: Queryable, userId: string, chatId: string): Promise<MessageRow | undefined> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("chat_id", "=", chatId)
    .where("user_id", "=", userId)
    .where("state", "=", RUNNING)
    .executeTakeFirst();
}

/** Counts the account's running replies, in all chats and processes. */
export async function countWriting(db: Queryable, userId: string): Promise<number> {
  return (await listWritingOf(db, userId)).length;
}

const selectWriting = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom("messages")
    .select("id")
    .where("user_id", "=", userId)
    // A literal, so that the planner uses the partial index `messages_user_writing`.
    .where("state", "=", sql.lit(RUNNING)),
);

/** Lists the account's running replies. */
export async function listWritingOf(db: Queryable, userId: string): Promise<Pick<MessageRow, "id">[]> {
  return selectWriting(db, { userId });
}

const insertRows = preparedForRows((db, rows: MessageRow[]) => db.insertInto("messages").values(rows));

/**
 * Stores messages and indexes them for search. `tokens`: tokens of their texts. `tools`: that they have called.
 * @throws a unique violation for a second message in state `writing` in a chat
 */
export async function insertMessages(
  db: Queryable,
  messages: MessageRow[],
  tokens?: TextTokens,
  tools?: ToolNames,
): Promise<void> {
  await insertRows(db, messages);
  await indexMessages(db, messages, tokens, tools);
}

/** Converts a row to the contract's message. `content`: of a running reply its text and parts so far. */
export function toMessage(row: MessageRow, content: MessageContent): Message {
  const { text, parts, rev, writer } = content;
  const code = toErrorCode(row.error_code);
  const seams = visibleSeams(parseSeams(row.seams), text).filter((at) => !isBehindCall(parts, at));
  return {
    id: row.id,
    role: row.role,
    content: text,
    state: row.state,
    parent: row.parent,
    model: writer ?? row.model,
    createdAt: row.created_at,
    ...(code && { code }),
    ...(seams.length > 0 && { seams }),
    ...(parts.length > 0 && { parts: parts.map(toMessagePart) }),
    ...(rev > 0 && { rev }),
    ...(row.truncated && { isTruncated: true }),
  };
}

/** Returns the stored error code of a failure; a general one if this version does not know the code. */
export function toErrorCode(stored: string | null): ErrorCode | undefined {
  if (stored === null) return undefined;
  return isErrorCode(stored) ? stored : "assistant-failed";
}
