import { sql } from "kysely";
import { RUNNING } from "#contract/conversation/reply-state.ts";
import { preparedForRows } from "../../database/prepared.ts";
import type { MessageRow, Queryable, ReplyChunkRow } from "../../database/schema.ts";
import { type Seam, storedSeams } from "../../text/seams.ts";
import { hasSubstantialParts } from "../parts/part-store.ts";

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
  const writing = db.selectFrom("messages").select(["id", "run"]).where("state", "=", RUNNING).orderBy("id");
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
    .where("state", "=", RUNNING)
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
    .where("state", "=", RUNNING)
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

/** Removes the owner of a running run; undefined if the run has ended. */
export async function takeRun(db: Queryable, id: string, run: number): Promise<MessageRow | undefined> {
  return db
    .updateTable("messages")
    .set({ owner: null })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "=", RUNNING)
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
    .set({ ...next, run: run + 1, state: RUNNING, error_code: null, ended_at: null, truncated: 0, stop_requested: 0 })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "!=", RUNNING)
    .returningAll()
    .executeTakeFirst();
}

/** A run in which the text of `storedRun` has become reasoning. */
export type TakenBackRun = Pick<MessageRow, "id" | "run"> & { storedRun: number };

/**
 * Begins a run of a running reply that replaces text and parts of the one before: the caller stores them in the same
 * transaction. Can be repeated, if an earlier commit was never confirmed.
 * @returns false if the reply is not in that run any more
 */
export async function beginTakenBackRun(db: Queryable, { id, run, storedRun }: TakenBackRun): Promise<boolean> {
  const begun = await db
    .updateTable("messages")
    .set({ run })
    .where("id", "=", id)
    .where("run", "in", [storedRun, run])
    .where("state", "=", RUNNING)
    .returning("id")
    .executeTakeFirst();
  if (!begun) return false;
  await db.deleteFrom("reply_chunks").where("message_id", "=", id).execute();
  await db.deleteFrom("reasoning_chunks").where("message_id", "=", id).execute();
  await db.deleteFrom("message_parts").where("message_id", "=", id).where("run", "=", storedRun).execute();
  return true;
}

/** Lists all replies in state `writing`, of all owners. */
export async function listAllWriting(db: Queryable): Promise<MessageRow[]> {
  return db.selectFrom("messages").selectAll().where("state", "=", sql.lit(RUNNING)).execute();
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
    .where("state", "=", RUNNING)
    .execute();
}

/** Lists the runs of running replies, and whether Stop was requested. */
export async function listRuns(db: Queryable, ids: string[]) {
  return db
    .selectFrom("messages")
    .select(["id", "run", "stop_requested"])
    .where("id", "in", ids)
    .where("state", "=", RUNNING)
    .execute();
}

/** Removes empty replies, which nothing refers to after their idempotency key has expired. */
export async function removeEmptyRepliesBefore(db: Queryable, createdBefore: number): Promise<void> {
  await db
    .deleteFrom("messages")
    // Literals, so that SQLite's planner uses the partial index `messages_empty`.
    .where("role", "=", sql.lit("assistant"))
    .where("content", "=", sql.lit(""))
    .where("state", "!=", sql.lit(RUNNING))
    // Interrupted replies stay in their branch.
    .where("state", "!=", sql.lit("interrupted"))
    .where(({ not }) => not(hasSubstantialParts))
    .where("created_at", "<", createdBefore)
    .execute();
}
