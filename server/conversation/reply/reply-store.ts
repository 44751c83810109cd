import { type Expression, sql } from "kysely";
import type { MessageState } from "#contract/conversation.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { markGrown } from "../../chats/change-store.ts";
import { holdChatOrDeleted } from "../../chats/chat-store.ts";
import { shortTransaction } from "../../database/group-commit.ts";
import { prepared, preparedForRows } from "../../database/prepared.ts";
import type { Database, MessageRow, Queryable, ReplyChunkRow } from "../../database/schema.ts";
import { reindexMessage, type TextTokens, tokenise } from "../../search/search-index-store.ts";
import { type Seam, storedSeams } from "../../text/seams.ts";
import { seamsBefore, storedBytes } from "../../text/stored-bytes.ts";
import { type CountedCall, countCalls } from "../../usage/usage-store.ts";
import { findEndWithout } from "../tree-store.ts";

/** How a reply ended. `code` words a failure; tokens are the provider's own count. */
export type ReplyEnd = {
  state: Exclude<MessageState, "writing">;
  code?: ErrorCode;
  model: string | null;
  /** The model stopped at its own limit of length. */
  isTruncated?: boolean;
  inputTokens?: number;
  outputTokens?: number;
};

/** `run`: the one that ends; another one that has begun meanwhile is left alone. */
export type StoredReply = {
  id: string;
  chatId: string;
  userId: string;
  run: number;
  content: string;
  /** Length of the text (UTF-16 units) with which the run began. */
  startLength: number;
  seams: readonly Seam[];
  end: ReplyEnd;
  endedAt: number;
  /** What was asked of providers in this run. */
  calls: readonly CountedCall[];
};

const upsertChunks = preparedForRows((db, chunks: ReplyChunkRow[]) =>
  db
    .insertInto("reply_chunks")
    .values(chunks)
    // A piece whose storing was never confirmed comes again, perhaps longer.
    .onConflict((conflict) =>
      conflict.columns(["message_id", "at"]).doUpdateSet((eb) => ({ text: eb.ref("excluded.text") })),
    ),
);

export async function insertChunks(db: Queryable, chunks: ReplyChunkRow[]): Promise<void> {
  await upsertChunks(db, chunks);
}

/** The runs of replies that are being written, by the reply's id. */
export type Runs = ReadonlyMap<string, number>;

/**
 * Locks the rows of those replies that are being written until the end of the transaction, so that no other process takes
 * them over. For PostgreSQL.
 * @param mayWait whether to wait for rows that another transaction has locked (a reply that ends, or is taken over), up
 *   to the limit of the connection
 * @returns `held`: the runs of the rows that are locked now. `locked`: the runs of those that another transaction has
 *   locked, as they were before it; always empty with `mayWait`
 */
export async function holdRuns(
  db: Queryable,
  ids: readonly string[],
  mayWait: boolean,
): Promise<{ held: Runs; locked: Runs }> {
  const writing = db.selectFrom("messages").select(["id", "run"]).where("state", "=", "writing").orderBy("id");
  const holding = writing.where("id", "in", ids).forShare();
  const held = runsOf(await (mayWait ? holding : holding.skipLocked()).execute());
  const missing = ids.filter((id) => !held.has(id));
  const isComplete = mayWait || missing.length === 0;
  return { held, locked: runsOf(isComplete ? [] : await writing.where("id", "in", missing).execute()) };
}

const runsOf = (rows: readonly Pick<MessageRow, "id" | "run">[]): Runs => new Map(rows.map(({ id, run }) => [id, run]));

/** Stores where a reply was continued while it is being written. */
export async function storeSeams(db: Queryable, id: string, run: number, seams: readonly Seam[]): Promise<void> {
  await db
    .updateTable("messages")
    .set({ seams: storedSeams(seams) })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "=", "writing")
    .execute();
}

/** The stored pieces of a reply being written that begin at `from` (UTF-16 units) or later, in their order. */
export async function listChunks(db: Queryable, messageId: string, from: number): Promise<ReplyChunkRow[]> {
  return db
    .selectFrom("reply_chunks")
    .selectAll()
    .where("message_id", "=", messageId)
    .where("at", ">=", from)
    .orderBy("at")
    .execute();
}

/** The stored text of a reply: what an earlier run left, and the pieces of the one that is writing. */
export async function readText(db: Queryable, { id, content }: Pick<MessageRow, "id" | "content">): Promise<string> {
  let text = content;
  for (const piece of await listChunks(db, id, content.length)) {
    // Pieces of a run that has begun since the row was read.
    if (piece.at > text.length) break;
    text += piece.text.slice(text.length - piece.at);
  }
  return text;
}

/**
 * Folds a reply into its message. A reply without a word leaves the branch, and the chat ends with the question again, or
 * with what was there beside it; its row stays as a record of the attempt. Only an interrupted one stays, to go on when its reader comes back.
 * @returns whether it was stored; not so where the chat is gone or another run has begun
 */
export async function storeEnd(database: Database, reply: StoredReply): Promise<boolean> {
  const tokens = await tokenise([reply.content]);
  const store = async (db: Queryable) => {
    if (await foldReply(db, reply, tokens)) return true;
    await countUnlessTaken(db, reply);
    return false;
  };
  // The search index of a long text takes time, which others in the same group would wait for.
  const isShort = reply.content.length <= MAX_SHORT_CHARS;
  return isShort ? shortTransaction(database, store) : database.transaction().execute(store);
}

/** In UTF-16 units. */
const MAX_SHORT_CHARS = 20_000;

/**
 * What a reply used stays counted where its chat is gone. Where its row is still there, another process has taken it
 * over, and has counted what it found.
 */
export async function countUnlessTaken(
  db: Queryable,
  { id, userId, calls }: Pick<StoredReply, "id" | "userId" | "calls">,
): Promise<void> {
  const row = await db.selectFrom("messages").select("id").where("id", "=", id).executeTakeFirst();
  if (!row) await countCalls(db, userId, calls);
}

/** Where Stop and the end of a process met, Stop was meant. */
const interruptedUnlessStopped = sql<MessageState>`case when stop_requested = 1 then 'stopped' else 'interrupted' end`;

type Folded = Pick<
  MessageRow,
  "content" | "state" | "error_code" | "model" | "seams" | "truncated" | "input_tokens" | "output_tokens" | "ended_at"
>;

type Fold = Folded & Pick<MessageRow, "id" | "run">;

/** A reply that is being written, in that run. */
const foldAs = (db: Queryable, { id, run, ...folded }: Fold, state: Expression<MessageState> | MessageState) =>
  db
    .updateTable("messages")
    .set({ ...folded, state })
    .where("id", "=", id)
    .where("state", "=", "writing")
    .where("run", "=", run)
    .returningAll();

const fold = prepared((db, row: Fold) => foldAs(db, row, row.state));
const foldInterrupted = prepared((db, row: Fold) => foldAs(db, row, interruptedUnlessStopped));
const removeChunks = prepared((db, { id }: { id: string }) =>
  db.deleteFrom("reply_chunks").where("message_id", "=", id),
);

/** {@link storeEnd} within a transaction. `tokens`: of the reply's text. */
export async function foldReply(db: Queryable, reply: StoredReply, tokens: TextTokens): Promise<boolean> {
  const { id, chatId, userId, run, content, seams, end, endedAt, calls } = reply;
  // The chat first, as whoever sends or deletes does: two that lock in different orders may wait for each other.
  // One that was deleted is stored too: that may be undone.
  const chat = await holdChatOrDeleted(db, userId, chatId);
  if (!chat) return false;
  const [folded] = await (end.state === "interrupted" ? foldInterrupted : fold)(db, {
    id,
    run,
    content,
    state: end.state,
    error_code: end.code ?? null,
    model: end.model,
    seams: storedSeams(seams),
    truncated: end.isTruncated ? 1 : 0,
    input_tokens: end.inputTokens ?? null,
    output_tokens: end.outputTokens ?? null,
    ended_at: endedAt,
  });
  if (!folded) return false;
  await countCalls(db, userId, calls);
  await reindexMessage(db, folded, tokens);
  await removeChunks(db, { id });
  const leavesBranch = content === "" && folded.state !== "interrupted" && chat.leaf === id;
  const leaf = leavesBranch ? await findEndWithout(db, userId, chatId, folded.parent) : chat.leaf;
  const activity = { leaf, updated_at: endedAt, archived: chat.archived, unread: content === "" ? chat.unread : 1 };
  await markGrown(db, userId, chatId, { bytes: grownBytes(reply), activity });
  return true;
}

/** What a run has added to the counters; those have what was there at its beginning. */
function grownBytes({ run, content, startLength, seams }: StoredReply): number {
  const before = { role: "assistant", content: content.slice(0, startLength), seams: seamsBefore(seams, run) } as const;
  return storedBytes({ role: "assistant", content, seams }) - storedBytes(before);
}

/** Takes a run that is under way from its owner; nothing where it is not under way any more. */
export async function takeRun(db: Queryable, id: string, run: number): Promise<MessageRow | undefined> {
  return db
    .updateTable("messages")
    .set({ owner: null })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "=", "writing")
    .returningAll()
    .executeTakeFirst();
}

/** A reply in a run, whatever its state; nothing where another run has begun, or the chat is gone. */
export async function findRun(db: Queryable, id: string, run: number): Promise<MessageRow | undefined> {
  return db.selectFrom("messages").selectAll().where("id", "=", id).where("run", "=", run).executeTakeFirst();
}

/** What a reply is given when it goes on: a new run, by this owner. */
export type NextRun = Pick<MessageRow, "id" | "run" | "owner" | "seams" | "resumed" | "model" | "requested_model">;

/** Begins a further run of a reply that had ended; nothing where another one was quicker. `run`: the one that ended. */
export async function beginRun(db: Queryable, { id, run, ...next }: NextRun): Promise<MessageRow | undefined> {
  return db
    .updateTable("messages")
    .set({ ...next, run: run + 1, state: "writing", error_code: null, ended_at: null, truncated: 0, stop_requested: 0 })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "!=", "writing")
    .returningAll()
    .executeTakeFirst();
}

/** Every reply in state `writing`, whoever its owner. */
export async function listAllWriting(db: Queryable): Promise<MessageRow[]> {
  return db.selectFrom("messages").selectAll().where("state", "=", sql.lit("writing")).execute();
}

/** A reply that might go on by itself does not; nothing where it is in another state. */
export async function stopInterrupted(db: Queryable, id: string): Promise<MessageRow | undefined> {
  return db
    .updateTable("messages")
    .set({ state: "stopped" })
    .where("id", "=", id)
    .where("state", "=", "interrupted")
    .returningAll()
    .executeTakeFirst();
}

/** Tells the process that writes a reply to stop it. */
export async function requestStop(db: Queryable, id: string): Promise<void> {
  await db
    .updateTable("messages")
    .set({ stop_requested: 1 })
    .where("id", "=", id)
    .where("state", "=", "writing")
    .execute();
}

/** How replies stand: their run while it is under way, and whether somebody asked to stop it. */
export async function listRuns(db: Queryable, ids: string[]) {
  return db
    .selectFrom("messages")
    .select(["id", "run", "stop_requested"])
    .where("id", "in", ids)
    .where("state", "=", "writing")
    .execute();
}

/** Records of replies that ended without a word: nothing points to them once their send is forgotten. */
export async function removeEmptyRepliesBefore(db: Queryable, createdBefore: number): Promise<void> {
  await db
    .deleteFrom("messages")
    // Literals, or SQLite does not see that the partial index `messages_empty` fits.
    .where("role", "=", sql.lit("assistant"))
    .where("content", "=", sql.lit(""))
    .where("state", "!=", sql.lit("writing"))
    // These stay in their branch.
    .where("state", "!=", sql.lit("interrupted"))
    .where("created_at", "<", createdBefore)
    .execute();
}
