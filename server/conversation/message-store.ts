import { sql } from "kysely";
import type { Message } from "#contract/conversation.ts";
import { type ErrorCode, isErrorCode } from "#contract/errors.ts";
import { prepared, preparedForRows } from "../database/prepared.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import { indexMessages } from "../search/search-index-store.ts";
import { parseSeams, visibleSeams } from "./seams.ts";

const selectBranch = prepared((db, { userId, leaf }: { userId: string; leaf: string }) =>
  db
    .withRecursive("branch", (cte) =>
      cte
        .selectFrom("messages")
        .selectAll()
        .select(sql<number>`0`.as("depth"))
        .where("id", "=", leaf)
        .where("user_id", "=", userId)
        .unionAll((union) =>
          union
            .selectFrom("messages")
            .innerJoin("branch", "branch.parent", "messages.id")
            .selectAll("messages")
            .select(sql<number>`branch.depth + 1`.as("depth"))
            .where("messages.user_id", "=", userId),
        ),
    )
    .selectFrom("branch")
    .selectAll()
    .orderBy("depth", "desc"),
);

/** The messages from the start of a chat to `leaf`, oldest first. */
export async function listBranch(db: Queryable, userId: string, leaf: string | null): Promise<MessageRow[]> {
  return leaf === null ? [] : selectBranch(db, { userId, leaf });
}

const selectMessage = prepared((db, { userId, id }: { userId: string; id: string }) =>
  db.selectFrom("messages").selectAll().where("id", "=", id).where("user_id", "=", userId),
);

export async function findMessage(db: Queryable, userId: string, id: string): Promise<MessageRow | undefined> {
  const [row] = await selectMessage(db, { userId, id });
  return row;
}

/** The reply that is being written in a chat, if one is. */
export async function findWriting(db: Queryable, userId: string, chatId: string): Promise<MessageRow | undefined> {
  return db
    .selectFrom("messages")
    .selectAll()
    .where("chat_id", "=", chatId)
    .where("user_id", "=", userId)
    .where("state", "=", "writing")
    .executeTakeFirst();
}

/** How many replies of the account are being written, in whichever chats and by whichever process. */
export async function countWriting(db: Queryable, userId: string): Promise<number> {
  return (await listWritingOf(db, userId)).length;
}

const selectWriting = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom("messages")
    .select("id")
    .where("user_id", "=", userId)
    // A literal, so that the partial index `messages_user_writing` fits.
    .where("state", "=", sql.lit("writing")),
);

/** Replies of the account that are being written. */
export async function listWritingOf(db: Queryable, userId: string): Promise<Pick<MessageRow, "id">[]> {
  return selectWriting(db, { userId });
}

const insertRows = preparedForRows((db, rows: MessageRow[]) => db.insertInto("messages").values(rows));

/** Stores messages and makes them findable. @throws a unique violation for a second one in state `writing` in the chat */
export async function insertMessages(db: Queryable, messages: MessageRow[]): Promise<void> {
  await insertRows(db, messages);
  await indexMessages(db, messages);
}

/** As the contract has it. `text`: what there is of a reply that is being written. */
export function toMessage(row: MessageRow, text = row.content): Message {
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
    ...(row.truncated && { isTruncated: true }),
  };
}

/** The code under which a failure was stored; a general one where it is none of today's. */
export function toErrorCode(stored: string | null): ErrorCode | undefined {
  if (stored === null) return undefined;
  return isErrorCode(stored) ? stored : "assistant-failed";
}
