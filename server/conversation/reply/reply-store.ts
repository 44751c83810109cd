import { type Expression, sql } from "kysely";
import type { MessageState } from "#contract/conversation.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { Spending } from "../../budgets/spending.ts";
import { markGrown } from "../../chats/change-store.ts";
import { holdChatOrDeleted } from "../../chats/chat-store.ts";
import { shortTransaction } from "../../database/group-commit.ts";
import { prepared, preparedForRows } from "../../database/prepared.ts";
import type { Database, MessageRow, Queryable, ReplyChunkRow } from "../../database/schema.ts";
import { reindexMessage, type TextTokens, tokenise } from "../../search/search-index-store.ts";
import { type Seam, storedSeams } from "../../text/seams.ts";
import { seamsBefore, storedBytes } from "../../text/stored-bytes.ts";
import { bodyOf, type Part, toPartRow } from "../parts/message-part.ts";
import { removeReasoningChunks, upsertParts } from "../parts/part-store.ts";
import { findEndWithout } from "../tree-store.ts";

/**
 * End of a reply. `code`: reason of a failure; `retryAfterMs`: the wait that the provider asked for then, which is not
 * stored. Tokens are counted by the provider.
 */
export type ReplyEnd = {
  state: Exclude<MessageState, "writing">;
  code?: ErrorCode;
  retryAfterMs?: number | undefined;
  model: string | null;
  /** Whether the model stopped at its length limit. */
  isTruncated?: boolean;
  inputTokens?: number;
  outputTokens?: number;
};

/** `run`: the run that ends; a later run is not changed. */
export type StoredReply = {
  id: string;
  chatId: string;
  userId: string;
  run: number;
  content: string;
  /** Length of the text (UTF-16 units) with which the run began. */
  startLength: number;
  seams: readonly Seam[];
  /** Parts of all runs, and the revision of the last change. */
  parts: readonly Part[];
  rev: number;
  end: ReplyEnd;
  endedAt: number;
};

/** The calls of a run and their money. */
type Spent = { spending: Pick<Spending, "settle"> };

const upsertChunks = preparedForRows((db, chunks: ReplyChunkRow[]) =>
  db
    .insertInto("reply_chunks")
    .values(chunks)
    // A piece whose commit was never confirmed is stored again, perhaps longer.
    .onConflict((conflict) =>
      conflict.columns(["message_id", "at"]).doUpdateSet((eb) => ({ text: eb.ref("excluded.text") })),
    ),
);

export async function insertChunks(db: Queryable, chunks: ReplyChunkRow[]): Promise<void> {
  await upsertChunks(db, chunks);
}

/** Runs of running replies, by the reply's id. */
export type Runs = ReadonlyMap<string, number>;

/**
 * Locks the rows of those replies that are being written until the end of the transaction, so that no other process
 * takes them over. For PostgreSQL.
 * @param mayWait whether to wait for rows that another transaction has locked (a reply that ends, or is taken over), up
 *   to the limit of the connection
 * @returns `held`: runs of the rows that this transaction has locked. `busy`: runs, as last committed, of the rows that
 *   another transaction has locked; always empty with `mayWait`
 */
export async function holdRuns(
  db: Queryable,
  ids: readonly string[],
  mayWait: boolean,
): Promise<{ held: Runs; busy: Runs }> {
  const writing = db.selectFrom("messages").select(["id", "run"]).where("state", "=", "writing").orderBy("id");
  const holding = writing.where("id", "in", ids).forShare();
  const held = runsOf(await (mayWait ? holding : holding.skipLocked()).execute());
  const missing = ids.filter((id) => !held.has(id));
  const isComplete = mayWait || missing.length === 0;
  return { held, busy: runsOf(isComplete ? [] : await writing.where("id", "in", missing).execute()) };
}

const runsOf = (rows: readonly Pick<MessageRow, "id" | "run">[]): Runs => new Map(rows.map(({ id, run }) => [id, run]));

/** Stores the seams of a running reply. */
export async function storeSeams(db: Queryable, id: string, run: number, seams: readonly Seam[]): Promise<void> {
  await db
    .updateTable("messages")
    .set({ seams: storedSeams(seams) })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "=", "writing")
    .execute();
}

/**
 * Stores which call a running reply waits for, and perhaps another model as its writer.
 * @returns false if another run has started, or the reply has ended or was deleted
 */
export async function storeOpenCall(
  db: Queryable,
  { id, run }: Pick<MessageRow, "id" | "run">,
  columns: Pick<MessageRow, "open_call"> & Partial<Pick<MessageRow, "model">>,
): Promise<boolean> {
  const stored = await db
    .updateTable("messages")
    .set(columns)
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "=", "writing")
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

/** Lists the stored pieces of a running reply that begin at `from` (UTF-16 units) or later, in order. */
export async function listChunks(db: Queryable, messageId: string, from: number): Promise<ReplyChunkRow[]> {
  return db
    .selectFrom("reply_chunks")
    .selectAll()
    .where("message_id", "=", messageId)
    .where("at", ">=", from)
    .orderBy("at")
    .execute();
}

/** Reads the stored text of a reply: the text of earlier runs, and the pieces of the current one. */
export async function readText(db: Queryable, { id, content }: Pick<MessageRow, "id" | "content">): Promise<string> {
  let text = content;
  for (const piece of await listChunks(db, id, content.length)) {
    // Pieces of a run that has started since the row was read.
    if (piece.at > text.length) break;
    text += piece.text.slice(text.length - piece.at);
  }
  return text;
}

/**
 * Merges the pieces of a reply into its message. An empty reply leaves the branch, which then ends with the question or
 * an earlier alternative; its row stays as a record of the attempt. An empty interrupted reply stays in the branch,
 * because it may continue.
 * @returns false if it was not stored, because the chat was deleted or another run has started
 */
export async function storeEnd(database: Database, reply: StoredReply & Spent): Promise<boolean> {
  const tokens = await tokenise([reply.content]);
  const store = async (db: Queryable) => {
    const isStored = await foldReply(db, reply, tokens);
    if (isStored) await reply.spending.settle(db);
    else await settleUnlessTaken(db, reply.id, reply.spending);
    return isStored;
  };
  // Indexing a long text takes time, for which other transactions of a group commit would wait.
  const reasoning = reply.parts.reduce((sum, { text = "" }) => sum + text.length, 0);
  const isShort = reply.content.length + reasoning <= MAX_SHORT_CHARS;
  return isShort ? shortTransaction(database, store) : database.transaction().execute(store);
}

/** Longest text and reasoning (UTF-16 units) that is stored within a group commit. */
const MAX_SHORT_CHARS = 20_000;

/** Counts the calls of a reply that this process can no longer store, as {@link storeEnd} does. */
export async function countLost(database: Database, id: string, spending: Spent["spending"]): Promise<void> {
  await shortTransaction(database, (db) => settleUnlessTaken(db, id, spending));
}

/**
 * Counts the calls of a reply whose row was deleted with its chat. If the row exists, another process has taken the
 * reply over and has counted the calls.
 */
async function settleUnlessTaken(db: Queryable, id: string, spending: Spent["spending"]): Promise<void> {
  const row = await db.selectFrom("messages").select("id").where("id", "=", id).executeTakeFirst();
  await spending.settle(db, { isCounted: !row });
}

/** If Stop and the end of a process race, Stop wins. */
const interruptedUnlessStopped = sql<MessageState>`case when stop_requested = 1 then 'stopped' else 'interrupted' end`;

type Folded = Pick<
  MessageRow,
  | "content"
  | "state"
  | "error_code"
  | "model"
  | "seams"
  | "rev"
  | "truncated"
  | "input_tokens"
  | "output_tokens"
  | "ended_at"
>;

type Fold = Folded & Pick<MessageRow, "id" | "run">;

/** Updates a running reply, if it is still in that run. */
const foldAs = (db: Queryable, { id, run, ...folded }: Fold, state: Expression<MessageState> | MessageState) =>
  db
    .updateTable("messages")
    .set({ ...folded, state, open_call: null })
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
  const { id, chatId, userId, run, content, seams, parts, rev, end, endedAt } = reply;
  // Locks the chat first, as sends and deletions do: another order could cause a deadlock.
  // A reply of a deleted chat is stored too, because the deletion may be undone.
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
    rev,
    truncated: end.isTruncated ? 1 : 0,
    input_tokens: end.inputTokens ?? null,
    output_tokens: end.outputTokens ?? null,
    ended_at: endedAt,
  });
  if (!folded) return false;
  await reindexMessage(db, folded, tokens);
  await removeChunks(db, { id });
  const written = parts.filter((part) => part.run === run);
  if (written.length > 0) {
    await upsertParts(
      db,
      written.map((part) => toPartRow(id, part)),
    );
    await removeReasoningChunks(db, id);
  }
  const leavesBranch = content === "" && folded.state !== "interrupted" && chat.leaf === id;
  const leaf = leavesBranch ? await findEndWithout(db, userId, chatId, folded.parent) : chat.leaf;
  const activity = { leaf, updated_at: endedAt, archived: chat.archived, unread: content === "" ? chat.unread : 1 };
  await markGrown(db, userId, chatId, { bytes: grownBytes(reply), activity });
  return true;
}

/** Bytes that a run adds to the counters, which include the text at its start. */
function grownBytes({ run, content, startLength, seams, parts }: StoredReply): number {
  const measured = parts.map((part) => ({ run: part.run, body: bodyOf(part) }));
  const before = {
    role: "assistant",
    content: content.slice(0, startLength),
    seams: seamsBefore(seams, run),
    parts: measured.filter((part) => part.run < run),
  };
  return storedBytes({ role: "assistant", content, seams, parts: measured }) - storedBytes(before);
}

/** Removes the owner of a running run; undefined if the run has ended. */
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

/** Finds a reply in a run, in any state; undefined if another run has started or the chat was deleted. */
export async function findRun(db: Queryable, id: string, run: number): Promise<MessageRow | undefined> {
  return db.selectFrom("messages").selectAll().where("id", "=", id).where("run", "=", run).executeTakeFirst();
}

/** Fields that a continued reply gets: a new run with its owner. */
export type NextRun = Pick<
  MessageRow,
  "id" | "run" | "owner" | "seams" | "resumed" | "model" | "requested_model" | "open_call"
>;

/** Starts a new run of an ended reply; undefined if a concurrent start was faster. `run`: the run that ended. */
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

/** Lists all replies in state `writing`, of all owners. */
export async function listAllWriting(db: Queryable): Promise<MessageRow[]> {
  return db.selectFrom("messages").selectAll().where("state", "=", sql.lit("writing")).execute();
}

/** Stops an interrupted reply, so that it does not continue automatically; undefined in other states. */
export async function stopInterrupted(db: Queryable, id: string): Promise<MessageRow | undefined> {
  return db
    .updateTable("messages")
    .set({ state: "stopped" })
    .where("id", "=", id)
    .where("state", "=", "interrupted")
    .returningAll()
    .executeTakeFirst();
}

/** Requests the process that writes a reply to stop it. */
export async function requestStop(db: Queryable, id: string): Promise<void> {
  await db
    .updateTable("messages")
    .set({ stop_requested: 1 })
    .where("id", "=", id)
    .where("state", "=", "writing")
    .execute();
}

/** Lists the runs of running replies, and whether Stop was requested. */
export async function listRuns(db: Queryable, ids: string[]) {
  return db
    .selectFrom("messages")
    .select(["id", "run", "stop_requested"])
    .where("id", "in", ids)
    .where("state", "=", "writing")
    .execute();
}

/** Removes empty replies, which nothing refers to after their idempotency key has expired. */
export async function removeEmptyRepliesBefore(db: Queryable, createdBefore: number): Promise<void> {
  await db
    .deleteFrom("messages")
    // Literals, so that SQLite's planner uses the partial index `messages_empty`.
    .where("role", "=", sql.lit("assistant"))
    .where("content", "=", sql.lit(""))
    .where("state", "!=", sql.lit("writing"))
    // Interrupted replies stay in their branch.
    .where("state", "!=", sql.lit("interrupted"))
    .where("created_at", "<", createdBefore)
    .execute();
}
