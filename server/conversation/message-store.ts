import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Message } from "#contract/conversation.ts";
import { type ErrorCode, isErrorCode } from "#contract/errors.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import { prepared, preparedForRows } from "../database/prepared.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import { indexMessages, type TextTokens } from "../search/search-index-store.ts";
import { parseSeams, visibleSeams } from "../text/seams.ts";
import { type MessageContent, toMessagePart } from "./parts/message-part.ts";

type BranchEnd = { userId: string; leaf: string; maxBytes: number };

/** Messages of a branch that one statement reads: SQLite blocks the event loop, and a chat may have 50,000 messages. */
export const STEP_MESSAGES = 1000;

const selectBranch = prepared((db, { userId, leaf, maxBytes }: BranchEnd) =>
  db
    // Without the text, which each step of the recursion would copy.
    .withRecursive("branch", (cte) =>
      cte
        .selectFrom("messages")
        .select(["id", "parent", sql<number>`0`.as("depth"), sql<number>`octet_length(content)`.as("total")])
        .where("id", "=", leaf)
        .where("user_id", "=", userId)
        .unionAll((union) =>
          union
            .selectFrom("messages")
            .innerJoin("branch", "branch.parent", "messages.id")
            .select([
              "messages.id",
              "messages.parent",
              sql<number>`branch.depth + 1`.as("depth"),
              sql<number>`branch.total + octet_length(messages.content)`.as("total"),
            ])
            .where("messages.user_id", "=", userId)
            .where("branch.total", "<", maxBytes)
            .where("branch.depth", "<", sql.lit(STEP_MESSAGES - 1)),
        ),
    )
    .selectFrom("branch")
    .innerJoin("messages", "messages.id", "branch.id")
    .selectAll("messages")
    .select("branch.total")
    .orderBy("depth", "desc"),
);

/** Larger than any chat; the largest integer of a column. */
const WHOLE = 2 ** 31 - 1;

/**
 * Lists the messages from the root of a chat to `leaf`, oldest first. Of a long branch only the newest messages, with
 * up to `maxBytes` of text (UTF-8) together.
 */
export async function listBranch(
  db: Queryable,
  userId: string,
  leaf: string | null,
  maxBytes = WHOLE,
): Promise<MessageRow[]> {
  let left = Math.min(maxBytes, WHOLE);
  return listInSteps(leaf, async (from) => {
    const rows = await selectBranch(db, { userId, leaf: from, maxBytes: left });
    left -= rows[0]?.total ?? 0;
    return rows;
  });
}

/**
 * Walks from a message to the root of its chat, and yields to the event loop between two steps.
 * @param read reads one step of messages, oldest first, that ends with the given message; fewer rows than a full step if
 *   there are no more
 */
export async function listInSteps<T extends { parent: string | null }>(
  leaf: string | null,
  read: (from: string) => Promise<T[]>,
): Promise<T[]> {
  const steps: T[][] = [];
  for (let from = leaf; from !== null; ) {
    const rows = await read(from);
    steps.push(rows);
    if (rows.length < STEP_MESSAGES) break;
    from = rows[0]?.parent ?? null;
    await setImmediate();
  }
  return steps.reverse().flat();
}

/** Id of a message and the length of its text and its parts in bytes (UTF-8), without reading them. */
export type MessageSize = { id: string; bytes: number };

/**
 * Copies rows of sizes, because each reader of a chat holds all of them. Rows of `node:sqlite` have no prototype, so V8
 * stores them in dictionary mode: 320 bytes each instead of 104.
 */
export function compactSizes(rows: readonly MessageSize[]): MessageSize[] {
  return rows.map(({ id, bytes }) => ({ id, bytes }));
}

/** Length of a message's text and parts in bytes. */
export const bytesWithParts = sql<number>`octet_length(content) + case when rev = 0 then 0 else
  (select coalesce(sum(octet_length(body)), 0) from message_parts where message_id = messages.id) end`;

/** Lists the messages from the root of a chat to `leaf` without their text, oldest first. */
export async function listBranchSizes(db: Queryable, userId: string, leaf: string | null): Promise<MessageSize[]> {
  const sizes = await listInSteps(leaf, async (from) => {
    const { rows } = await sql<MessageSize & { parent: string | null }>`
      with recursive branch (id, parent, depth) as (
        select id, parent, 0 from messages where id = ${from} and user_id = ${userId}
        union all
        select m.id, m.parent, branch.depth + 1
        from messages m join branch on branch.parent = m.id
        where m.user_id = ${userId} and branch.depth < ${sql.lit(STEP_MESSAGES - 1)})
      select messages.id, messages.parent, ${bytesWithParts} as bytes
      from branch join messages on messages.id = branch.id order by depth desc`.execute(db);
    return rows;
  });
  return compactSizes(sizes);
}

/** Text that a reader of a chat holds in memory at a time; a longer message is a page of its own. */
export const PAGE_BYTES = 1_000_000;
const PAGE_MESSAGES = 200;

/** Reads messages page by page, in the order of `sizes`; deleted ones are left out. */
export async function* readMessages(
  db: Queryable,
  userId: string,
  sizes: readonly MessageSize[],
): AsyncGenerator<MessageRow[]> {
  for (let start = 0; start < sizes.length; ) {
    let bytes = sizes[start]?.bytes ?? 0;
    let end = start + 1;
    for (; end < sizes.length && end - start < PAGE_MESSAGES; end++) {
      bytes += sizes[end]?.bytes ?? 0;
      if (bytes > PAGE_BYTES) break;
    }
    const ids = sizes.slice(start, end).map(({ id }) => id);
    const isLong = end === start + 1 && bytes > PAGE_BYTES && isOnSqlite(db);
    yield await (isLong ? listLongMessage : listMessagesById)(db, userId, ids);
    start = end;
    // SQLite is synchronous, so yield to the event loop.
    await setImmediate();
  }
}

async function listMessagesById(db: Queryable, userId: string, ids: readonly string[]): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom("messages")
    .selectAll()
    .where("id", "in", ids)
    .where("user_id", "=", userId)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Reads a single message, with its text as bytes: decoding 3 MB of non-ASCII text takes 20 ms in SQLite's binding, and
 * 5 ms with Node's buffers.
 */
async function listLongMessage(db: Queryable, userId: string, ids: readonly string[]): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom("messages")
    .select(columnsBesideText)
    .select(sql<Uint8Array>`cast(content as blob)`.as("content"))
    .where("id", "in", ids)
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
    .where("state", "=", "writing")
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
    .where("state", "=", sql.lit("writing")),
);

/** Lists the account's running replies. */
export async function listWritingOf(db: Queryable, userId: string): Promise<Pick<MessageRow, "id">[]> {
  return selectWriting(db, { userId });
}

const insertRows = preparedForRows((db, rows: MessageRow[]) => db.insertInto("messages").values(rows));

/**
 * Stores messages and indexes them for search. `tokens`: tokens of their texts.
 * @throws a unique violation for a second message in state `writing` in a chat
 */
export async function insertMessages(db: Queryable, messages: MessageRow[], tokens?: TextTokens): Promise<void> {
  await insertRows(db, messages);
  await indexMessages(db, messages, tokens);
}

/** Converts a row to the contract's message. `content`: of a running reply its text and parts so far. */
export function toMessage(row: MessageRow, content: MessageContent): Message {
  const { text, parts, rev } = content;
  const code = toErrorCode(row.error_code);
  const seams = visibleSeams(parseSeams(row.seams), text);
  return {
    id: row.id,
    role: row.role,
    content: text,
    state: row.state,
    parent: row.parent,
    model: row.model,
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
