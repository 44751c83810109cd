import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { FILES_PER_MESSAGE_MAX } from "#contract/limits.ts";
import { prepared } from "../database/prepared.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";

const columns = ["id", "parent", "role", "content", "model", "rev"] as const;
/** A message of a branch that a model may receive. */
export type BranchMessage = Pick<MessageRow, (typeof columns)[number]>;
/** `files`: number of the files that the message names. */
export type CountedMessage = BranchMessage & { files: number };

type BranchEnd = { userId: string; leaf: string; maxBytes: number };

/** Messages of a branch that one statement reads: SQLite blocks the event loop, and a chat may have 50,000 messages. */
const STEP_MESSAGES = 1000;
/**
 * Files of one prompt: those of 50 full questions. Each costs time, however short the branch is, because a prompt is
 * fitted in several passes over its files.
 */
export const PROMPT_FILES_MAX = 50 * FILES_PER_MESSAGE_MAX;

/** Reads no rows of messages without parts, and of others only the primary key. */
const fileCount = sql<number>`case when messages.rev = 0 then 0
  else (select cast(count(*) as integer) from message_files where message_files.message_id = messages.id) end`;

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
    .select(columns.map((column) => `messages.${column}` as const))
    .select(["branch.total", fileCount.as("files")])
    .orderBy("depth", "desc"),
);

/** Larger than any chat; the largest integer of a column. */
const WHOLE = 2 ** 31 - 1;

/**
 * Lists the messages from the root of a chat to `leaf`, oldest first. Of a long branch only the newest messages, with
 * up to `maxBytes` of text (UTF-8) and {@link PROMPT_FILES_MAX} files together.
 */
export async function listBranch(
  db: Queryable,
  userId: string,
  leaf: string | null,
  maxBytes = WHOLE,
): Promise<CountedMessage[]> {
  const steps: CountedMessage[][] = [];
  let left = Math.min(maxBytes, WHOLE);
  let filesLeft = PROMPT_FILES_MAX;
  for (let from = leaf; from !== null && left > 0; ) {
    if (steps.length > 0) await setImmediate();
    const rows = await selectBranch(db, { userId, leaf: from, maxBytes: left });
    left -= rows[0]?.total ?? 0;
    const lastOverLimit = rows.findLastIndex(({ files }) => {
      filesLeft -= files;
      return filesLeft < 0;
    });
    steps.push(rows.slice(lastOverLimit + 1).map(toCountedMessage));
    from = rows.length < STEP_MESSAGES || lastOverLimit >= 0 ? null : (rows[0]?.parent ?? null);
  }
  return steps.reverse().flat();
}

/**
 * Copies a row. V8 stores the rows of `node:sqlite`, which have no prototype, as dictionaries: later passes over 50,000 of
 * them would hold the event loop for several times as long.
 */
function toCountedMessage({ id, parent, role, content, model, rev, files }: CountedMessage): CountedMessage {
  return { id, parent, role, content, model, rev, files };
}

/**
 * A message without its text and parts. `bytes`: of its text and seams (UTF-8). `rev`: at least the number of its
 * parts.
 */
export type MessageSize = Pick<MessageRow, "id" | "parent" | "rev"> & { bytes: number };

/** Length of a message's text and seams in bytes. The seams cost time too: a message may have a thousand. */
export const ownBytes = sql<number>`octet_length(messages.content) + coalesce(octet_length(messages.seams), 0)`;

/** A message of a branch without its text and parts. */
export type SizedMessage = MessageSize & Pick<MessageRow, "role">;

/** Finds the size of a message of a chat. */
export async function findSize(
  db: Queryable,
  { userId, chatId, id }: { userId: string; chatId: string; id: string },
): Promise<MessageSize | undefined> {
  const [found] = await db
    .selectFrom("messages")
    .select(["id", "parent", "rev", ownBytes.as("bytes")])
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("chat_id", "=", chatId)
    .execute();
  return found;
}

/** Yields the messages from `leaf` to the root of its chat in steps: the newest step first, each step oldest first. */
export async function* walkBranch(
  db: Queryable,
  userId: string,
  leaf: string | null,
): AsyncGenerator<SizedMessage[], void> {
  for (let from = leaf; from !== null; ) {
    const { rows } = await sql<SizedMessage>`
      with recursive branch (id, parent, depth) as (
        select id, parent, 0 from messages where id = ${from} and user_id = ${userId}
        union all
        select m.id, m.parent, branch.depth + 1
        from messages m join branch on branch.parent = m.id
        where m.user_id = ${userId} and branch.depth < ${sql.lit(STEP_MESSAGES - 1)})
      select messages.id, messages.parent, messages.role, messages.rev, ${ownBytes} as bytes
      from branch join messages on messages.id = branch.id order by depth desc`.execute(db);
    // Copied, as in `walkTree`.
    if (rows.length > 0) yield rows.map(({ id, parent, role, rev, bytes }) => ({ id, parent, role, rev, bytes }));
    from = rows.length < STEP_MESSAGES ? null : (rows[0]?.parent ?? null);
  }
}
