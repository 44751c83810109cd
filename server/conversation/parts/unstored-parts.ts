import { fileIdSchema } from "#contract/files/files.ts";
import type { MessagePartRow, Queryable, ReasoningChunkRow } from "../../database/schema.ts";
import { type FileName, nameOwnFiles } from "../../files/imported-file-store.ts";
import { isEndedReasoning, isFilePart, type Part, toPartRow } from "./message-part.ts";
import { insertReasoningChunk, removeReasoningChunks, storeRev, upsertParts } from "./part-store.ts";
import type { ReplyParts } from "./reply-parts.ts";

/** A running reply with its parts. */
type Writing = { id: string; userId: string; run: number; parts: Pick<ReplyParts, "all" | "rev" | "reasoningLength"> };

/** Changes of a reply's parts that are not stored yet, and the state after them. */
export type UnstoredParts = {
  rows: MessagePartRow[];
  /** Growing reasoning, if it has grown. */
  chunk: ReasoningChunkRow | undefined;
  hasEndedReasoning: boolean;
  rev: number;
  /** Length of all reasoning together in UTF-16 units. */
  reasoning: number;
};

/** Returns the changes after a stored state; undefined if there are none. */
export function unstoredParts(
  { id, parts }: Pick<Writing, "id" | "parts">,
  stored: { rev: number; reasoning: number },
): UnstoredParts | undefined {
  const { all, rev, reasoningLength: reasoning } = parts;
  if (rev === stored.rev && reasoning === stored.reasoning) return undefined;
  const changed = all.filter((part) => part.rev > stored.rev);
  return {
    rows: changed.map((part) => toPartRow(id, isGrowing(part) ? { ...part, text: "" } : part)),
    chunk: growth(id, all.at(-1), reasoning - stored.reasoning),
    hasEndedReasoning: changed.some(isEndedReasoning),
    rev,
    reasoning,
  };
}

const isGrowing = (part: Part) => part.text !== undefined && !isEndedReasoning(part);

/** @param unstored length of the unstored reasoning of all parts; that of ended parts is in their rows */
function growth(id: string, last: Part | undefined, unstored: number): ReasoningChunkRow | undefined {
  if (!last?.text || !isGrowing(last) || unstored === 0) return undefined;
  const at = Math.max(0, last.text.length - unstored);
  return { message_id: id, seq: last.seq, at, text: last.text.slice(at) };
}

/** Returns the files that parts of messages name. */
export function fileNamesOf(rows: readonly Pick<MessagePartRow, "message_id" | "seq" | "kind" | "body">[]): FileName[] {
  return rows.filter(isFilePart).flatMap(({ message_id, seq, body }) => {
    // An earlier version may have stored an id of another form.
    const { data: file_id } = fileIdSchema.safeParse(JSON.parse(body).id);
    return file_id === undefined ? [] : [{ message_id, position: seq, file_id }];
  });
}

/** Stores changes within a transaction, unless the run has ended. */
export async function storeUnstoredParts(
  db: Queryable,
  { id, userId, run }: Pick<Writing, "id" | "userId" | "run">,
  { rows, chunk, hasEndedReasoning, rev }: UnstoredParts,
): Promise<void> {
  // First, because it locks the row: the end of the run may have stored later states of the same parts.
  if (!(await storeRev(db, { id, run, rev }))) return;
  await upsertParts(db, rows);
  await nameOwnFiles(db, userId, fileNamesOf(rows));
  // Before the chunk, which belongs to a later part.
  if (hasEndedReasoning) await removeReasoningChunks(db, id);
  if (chunk) await insertReasoningChunk(db, chunk);
}
