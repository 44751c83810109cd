import { sql } from "kysely";
import { WAITING } from "#contract/conversation/reply-state.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { MessageRow, Queryable } from "../../../database/schema.ts";

/** Lists the replies of a chat that wait for decisions. */
export async function listWaiting(db: Queryable, chatId: string): Promise<MessageRow[]> {
  return (
    db
      .selectFrom("messages")
      .selectAll()
      .where("chat_id", "=", chatId)
      // A literal, so that the planner uses the partial index `messages_waiting`.
      .where("state", "=", sql.lit(WAITING))
      .execute()
  );
}

/** Lists the chats of replies that wait since before a time (Unix time in ms). */
export async function listWaitingSince(db: Queryable, before: number): Promise<{ id: string; user_id: string }[]> {
  return db
    .selectFrom("messages")
    .select(["chat_id as id", "user_id"])
    .where("state", "=", sql.lit(WAITING))
    .where("ended_at", "<", before)
    .execute();
}

/** Stores the revision of a reply that is in a state. */
export async function storeRevInState(
  db: Queryable,
  { id, state, rev }: Pick<MessageRow, "id" | "state" | "rev">,
): Promise<void> {
  await db.updateTable("messages").set({ rev }).where("id", "=", id).where("state", "=", state).execute();
}

/** Stops a waiting reply. `code`: why; undefined if a person has done so. */
export async function stopWaiting(
  db: Queryable,
  { id, rev, now, code }: { id: string; rev: number; now: number; code: ErrorCode | undefined },
): Promise<void> {
  await db
    .updateTable("messages")
    .set({ state: "stopped", rev, ended_at: now, ...(code && { error_code: code }) })
    .where("id", "=", id)
    .where("state", "=", WAITING)
    .execute();
}

/** Moves parts of a reply to another run. */
export async function movePartsToRun(db: Queryable, id: string, seqs: readonly number[], run: number): Promise<void> {
  await db.updateTable("message_parts").set({ run }).where("message_id", "=", id).where("seq", "in", seqs).execute();
}
