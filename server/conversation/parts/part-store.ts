import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { substantialKinds } from "#contract/conversation/parts.ts";
import { RUNNING } from "#contract/conversation/reply-state.ts";
import { PARTS_MAX } from "#contract/limits.ts";
import { inRuns } from "../../database/in-runs.ts";
import { prepared, preparedForRows } from "../../database/prepared.ts";
import type { MessagePartRow, MessageRow, Queryable, ReasoningChunkRow } from "../../database/schema.ts";
import { isEndedReasoning, NOTICE, type Part, REASONING, toPart } from "./message-part.ts";

const upsertPartRows = preparedForRows((db, rows: MessagePartRow[]) =>
  db
    .insertInto("message_parts")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["message_id", "seq"]).doUpdateSet((eb) => ({
        body: eb.ref("excluded.body"),
        rev: eb.ref("excluded.rev"),
        run: eb.ref("excluded.run"),
      })),
    ),
);

const upsertChunk = prepared((db, chunk: ReasoningChunkRow) =>
  db
    .insertInto("reasoning_chunks")
    .values(chunk)
    // A chunk whose commit was never confirmed is stored again, perhaps longer.
    .onConflict((conflict) =>
      conflict.columns(["message_id", "seq", "at"]).doUpdateSet((eb) => ({ text: eb.ref("excluded.text") })),
    ),
);

/** UTF-16 units of bodies that cost as much to store as a row. */
const CHARS_OF_A_ROW = 2000;

/** Stores parts, or their new state. Yields to the event loop between two statements, which are bounded in rows and bytes. */
export async function upsertParts(db: Queryable, rows: readonly MessagePartRow[]): Promise<void> {
  let isFirst = true;
  for (const run of inRuns(rows, ({ body }) => 1 + body.length / CHARS_OF_A_ROW)) {
    if (!isFirst) await setImmediate();
    isFirst = false;
    await upsertPartRows(db, run);
  }
}

/** Stores a piece of growing reasoning. */
export async function insertReasoningChunk(db: Queryable, chunk: ReasoningChunkRow): Promise<void> {
  await upsertChunk(db, chunk);
}

/** Removes the chunks of reasoning that has ended, of which the part has the whole text. */
export async function removeReasoningChunks(db: Queryable, messageId: string): Promise<void> {
  await db.deleteFrom("reasoning_chunks").where("message_id", "=", messageId).execute();
}

/** Lists the stored pieces of growing reasoning that begin at `from` (UTF-16 units) or later, in order. */
export async function listReasoningChunks(
  db: Queryable,
  messageId: string,
  { seq, from }: { seq: number; from: number },
): Promise<ReasoningChunkRow[]> {
  return db
    .selectFrom("reasoning_chunks")
    .selectAll()
    .where("message_id", "=", messageId)
    .where("seq", "=", seq)
    .where("at", ">=", from)
    .orderBy("at")
    .execute();
}

/**
 * Stores the revision of a running reply, and locks its row until the end of the transaction.
 * @returns false if the run has ended
 */
export async function storeRev(
  db: Queryable,
  { id, run, rev }: Pick<MessageRow, "id" | "run" | "rev">,
): Promise<boolean> {
  const stored = await db
    .updateTable("messages")
    .set({ rev })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "=", RUNNING)
    .executeTakeFirst();
  return stored.numUpdatedRows > 0n;
}

type MessageWithParts = Pick<MessageRow, "id" | "rev">;

/** Most parts that a message may have: each change of a part has a revision, and a part has one at least. */
export const rowsOf = ({ rev }: Pick<MessageRow, "rev">): number => Math.min(rev, PARTS_MAX);

/** Returns the bytes of messages' parts together, by message; none for messages without parts. */
export async function partBytesOf(
  db: Queryable,
  messages: readonly MessageWithParts[],
): Promise<{ id: string; bytes: number }[]> {
  return db
    .selectFrom("message_parts")
    .select(["message_id as id", sql<number>`cast(sum(octet_length(body)) as integer)`.as("bytes")])
    .where("message_id", "in", idsWithParts(messages))
    .groupBy("message_id")
    .execute();
}

/** Condition of statements on `messages`, as `isEmptyMessage` has it: the message has parts that are more than an attempt. */
export const hasSubstantialParts = sql<boolean>`exists (select 1 from message_parts as part
  where part.message_id = messages.id and part.kind in (${sql.join(substantialKinds.map((kind) => sql.lit(kind)))}))`;

/** Whether a message has parts that are more than an attempt, as `isEmptyMessage` has it. */
export async function isSubstantial(db: Queryable, messageId: string): Promise<boolean> {
  const found = db.selectFrom("message_parts").select("seq").where("message_id", "=", messageId);
  return (await found.where("kind", "in", substantialKinds).limit(1).executeTakeFirst()) !== undefined;
}

/** Lists the sizes of a message's parts in bytes, in order. */
export async function listPartSizes(db: Queryable, messageId: string): Promise<{ seq: number; bytes: number }[]> {
  return db
    .selectFrom("message_parts")
    .select(["seq", sql<number>`octet_length(body)`.as("bytes")])
    .where("message_id", "=", messageId)
    .orderBy("seq")
    .execute();
}

/** Lists the parts `from` to `to` of a message, without the chunks of growing reasoning. */
export async function listPartsBetween(
  db: Queryable,
  messageId: string,
  { from, to }: { from: number; to: number },
): Promise<Part[]> {
  const rows = await selectParts(db, [messageId]).where("seq", ">=", from).where("seq", "<=", to).execute();
  return rows.map(toPart);
}

/**
 * Lists the parts of messages by the message's id, without the chunks of growing reasoning. In one statement: the caller
 * passes few messages ({@link rowsOf}).
 */
export async function listParts(
  db: Queryable,
  messages: readonly MessageWithParts[],
): Promise<ReadonlyMap<string, Part[]>> {
  const ids = idsWithParts(messages);
  return ids.length === 0 ? new Map() : byMessage(await selectParts(db, ids).execute());
}

/** Lists the notices of messages by the message's id, in one statement as {@link listParts}. */
export async function listNotices(
  db: Queryable,
  messages: readonly MessageWithParts[],
): Promise<ReadonlyMap<string, Part[]>> {
  const ids = idsWithParts(messages);
  return ids.length === 0 ? new Map() : byMessage(await selectParts(db, ids).where("kind", "=", NOTICE).execute());
}

const idsWithParts = (messages: readonly MessageWithParts[]) =>
  messages.filter(({ rev }) => rev > 0).map(({ id }) => id);

const selectParts = (db: Queryable, ids: readonly string[]) =>
  db.selectFrom("message_parts").selectAll().where("message_id", "in", ids).orderBy("message_id").orderBy("seq");

function byMessage(rows: readonly MessagePartRow[]): ReadonlyMap<string, Part[]> {
  const parts = new Map<string, Part[]>();
  for (const row of rows) {
    const known = parts.get(row.message_id);
    if (known) known.push(toPart(row));
    else parts.set(row.message_id, [toPart(row)]);
  }
  return parts;
}

/** Lists the parts of a running reply that have changed after a revision, without the chunks of growing reasoning. */
export async function listChangedParts(db: Queryable, messageId: string, after: number): Promise<Part[]> {
  const rows = await db
    .selectFrom("message_parts")
    .selectAll()
    .where("message_id", "=", messageId)
    .where("rev", ">", after)
    .orderBy("rev")
    .execute();
  return rows.map(toPart);
}

/** Reads the parts of a message, with all stored reasoning. */
export async function readParts(db: Queryable, message: Pick<MessageRow, "id" | "rev">): Promise<Part[]> {
  const parts = (await listParts(db, [message])).get(message.id) ?? [];
  const last = parts.at(-1);
  // Only the last part can be reasoning that is growing: each further part ends it.
  if (last?.kind === REASONING) await addReasoning(db, message.id, last);
  return parts;
}

/** Appends the stored chunks to a part of reasoning. */
export async function addReasoning(db: Queryable, messageId: string, part: Part): Promise<void> {
  if (part.text === undefined || isEndedReasoning(part)) return;
  for (const { at, text } of await listReasoningChunks(db, messageId, { seq: part.seq, from: part.text.length })) {
    if (at > part.text.length) break;
    part.text += text.slice(part.text.length - at);
  }
}
