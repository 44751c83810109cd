import { type Expression, sql } from "kysely";
import type { MessageState } from "#contract/conversation/conversation.ts";
import { isEmptyMessage } from "#contract/conversation/parts.ts";
import { RUNNING } from "#contract/conversation/reply-state.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { Spending } from "../../budgets/spending.ts";
import { markGrown } from "../../chats/change-store.ts";
import { holdChatOrDeleted } from "../../chats/chat-store.ts";
import { shortTransaction } from "../../database/group-commit.ts";
import { prepared } from "../../database/prepared.ts";
import type { Database, MessageRow, Queryable } from "../../database/schema.ts";
import { nameOwnFiles } from "../../files/imported-file-store.ts";
import {
  type FileTokens,
  indexFiles,
  reindexMessage,
  type TextTokens,
  tokenise,
  tokeniseFiles,
} from "../../search/search-index-store.ts";
import { type Seam, storedSeams } from "../../text/seams.ts";
import { seamsBefore, storedBytes } from "../../text/stored-bytes.ts";
import { bodyOf, isResultFile, type Part, toolNamesOf, toPartRow } from "../parts/message-part.ts";
import { removeReasoningChunks, upsertParts } from "../parts/part-store.ts";
import { fileNamesOf } from "../parts/unstored-parts.ts";
import { findEndWithout } from "../tree-store.ts";
import { openCallOfEnd } from "./open-call.ts";
import { beginTakenBackRun } from "./reply-store.ts";
import { needsTurns, removeTurns } from "./steps/provider-turn-store.ts";
import { unansweredCalls, withCallChanges } from "./steps/unanswered-calls.ts";
import { storeRevInState } from "./steps/waiting-reply-store.ts";

/**
 * End of a reply. `code`: reason of a failure; `retryAfterMs`: the wait that the provider asked for then, which is not
 * stored. Tokens are counted by the provider.
 */
export type ReplyEnd = {
  state: Exclude<MessageState, typeof RUNNING>;
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
  /** The run that is stored: an earlier one if text was taken back since; by default `run`. */
  storedRun?: number;
  content: string;
  /** Length of the text (UTF-16 units) with which the run began. */
  startLength: number;
  seams: readonly Seam[];
  /** Parts of all runs, and the revision of the last change. */
  parts: readonly Part[];
  rev: number;
  /** Of the browser that has asked for the run. */
  timeZone?: string | undefined;
  end: ReplyEnd;
  endedAt: number;
};

/** The calls of a run and their money. */
type Spent = { spending: Pick<Spending, "settle"> };

/**
 * Merges the pieces of a reply into its message. An empty reply leaves the branch, which then ends with the question or
 * an earlier alternative; its row stays as a record of the attempt. An empty interrupted reply stays in the branch,
 * because it may continue.
 * @returns false if it was not stored, because the chat was deleted or another run has started
 */
export async function storeEnd(database: Database, reply: StoredReply & Spent): Promise<boolean> {
  const text = await tokenise([reply.content]);
  const files = await tokeniseResults(database, reply.userId, reply.parts);
  const store = async (db: Queryable) => {
    const isStored = await foldReply(db, reply, { text, files });
    if (isStored) await reply.spending.settle(db);
    else await settleUnlessTaken(db, reply.id, reply.spending);
    return isStored;
  };
  // Indexing a long text takes time, for which other transactions of a group commit would wait.
  const reasoning = reply.parts.reduce((sum, { text = "" }) => sum + text.length, 0);
  const isShort = reply.content.length + reasoning <= MAX_SHORT_CHARS && files.size === 0;
  return isShort ? shortTransaction(database, store) : database.transaction().execute(store);
}

/** Tokens of the text of a reply, and of files with results of tools. */
export type ReplyTokens = { text: TextTokens; files: FileTokens };

/** Tokenises the files of a reply that have results of tools: unlike pictures, they have long texts. */
export function tokeniseResults(db: Queryable, userId: string, parts: readonly Part[]): Promise<FileTokens> {
  return tokeniseFiles(
    db,
    userId,
    parts.filter(isResultFile).map(({ body }) => String(body.id)),
  );
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
  | "open_call"
>;

type Fold = Folded & Pick<MessageRow, "id" | "run">;

/** Updates a running reply, if it is still in that run. */
const foldAs = (db: Queryable, { id, run, ...folded }: Fold, state: Expression<MessageState> | MessageState) =>
  db
    .updateTable("messages")
    .set({ ...folded, state })
    .where("id", "=", id)
    .where("state", "=", RUNNING)
    .where("run", "=", run)
    .returningAll();

const fold = prepared((db, row: Fold) => foldAs(db, row, row.state));
const foldInterrupted = prepared((db, row: Fold) => foldAs(db, row, interruptedUnlessStopped));
const removeChunks = prepared((db, { id }: { id: string }) =>
  db.deleteFrom("reply_chunks").where("message_id", "=", id),
);

/** {@link storeEnd} within a transaction. */
export async function foldReply(db: Queryable, reply: StoredReply, tokens: ReplyTokens): Promise<boolean> {
  const { id, chatId, userId, run, storedRun = run, content, seams, rev, end, endedAt, timeZone } = reply;
  // Locks the chat first, as sends and deletions do: another order could cause a deadlock.
  // A reply of a deleted chat is stored too, because the deletion may be undone.
  const chat = await holdChatOrDeleted(db, userId, chatId);
  if (!chat) return false;
  if (storedRun !== run) await beginTakenBackRun(db, { id, run, storedRun });
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
    open_call: openCallOfEnd(end.state, timeZone),
  });
  if (!folded) return false;
  const { parts } = folded.state === end.state ? reply : await endCallsOf(db, folded, reply.parts);
  await reindexMessage(db, folded, tokens.text, new Map([[id, toolNamesOf(parts)]]));
  await removeChunks(db, { id });
  if (!needsTurns(folded.state)) await removeTurns(db, id);
  const written = parts.filter((part) => part.run === run);
  if (written.length > 0) {
    await upsertParts(
      db,
      written.map((part) => toPartRow(id, part)),
    );
    await removeReasoningChunks(db, id);
    // Before the account is locked, in the order of a removal of files.
    await nameAndIndexFiles(db, reply, written, tokens.files);
  }
  const isEmpty = isEmptyMessage({ content, parts });
  const leavesBranch = isEmpty && folded.state !== "interrupted" && chat.leaf === id;
  const leaf = leavesBranch ? await findEndWithout(db, userId, chatId, folded.parent) : chat.leaf;
  const activity = { leaf, updated_at: endedAt, archived: chat.archived, unread: isEmpty ? chat.unread : 1 };
  await markGrown(db, userId, chatId, { bytes: grownBytes({ ...reply, parts }), activity });
  return true;
}

/** Returns the parts of a reply for which Stop has won: its calls do not continue. */
async function endCallsOf(db: Queryable, { id, state, rev }: MessageRow, parts: readonly Part[]) {
  const ended = withCallChanges(parts, unansweredCalls(parts, state), rev);
  await storeRevInState(db, { id, state, rev: ended.rev });
  return ended;
}

/** Names the files of a run. Of pictures only their short names are indexed. @param tokens of the other files */
async function nameAndIndexFiles(
  db: Queryable,
  { id, userId }: Pick<StoredReply, "id" | "userId">,
  parts: readonly Part[],
  tokens: FileTokens,
): Promise<void> {
  const named = fileNamesOf(parts.map((part) => toPartRow(id, part)));
  if (named.length === 0) return;
  await nameOwnFiles(db, userId, named);
  const ids = named.map(({ file_id }) => file_id);
  const pictures = ids.filter((fileId) => !tokens.has(fileId));
  await indexFiles(db, userId, [id], new Map([...tokens, ...(await tokeniseFiles(db, userId, pictures))]));
}

/** Bytes that a run adds to the counters, which include the text at its start. */
function grownBytes({ run, content, startLength, seams, parts }: StoredReply): number {
  const measured = parts.map((part) => ({ run: part.run, kind: part.kind, body: bodyOf(part) }));
  const before = {
    role: "assistant",
    content: content.slice(0, startLength),
    seams: seamsBefore(seams, run),
    parts: measured.filter((part) => part.run < run),
  };
  return storedBytes({ role: "assistant", content, seams, parts: measured }) - storedBytes(before);
}
