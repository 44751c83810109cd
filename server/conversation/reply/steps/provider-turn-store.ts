import { RUNNING, WAITING } from "#contract/conversation/reply-state.ts";
import type { MessageRow, Queryable } from "../../../database/schema.ts";
import type { ProviderTurnRow } from "../../../database/tables/tool-tables.ts";
import type { ProviderTurn } from "../../../models/tool-calls/tool-call.ts";

/** What a model (a value) must receive back with the results of a step. */
export type StepTurn = { step: number; model: string; turn: ProviderTurn };

/** `turn`: undefined if the provider needs nothing back. */
export type UnstoredTurn = Omit<StepTurn, "turn"> & { turn: ProviderTurn | undefined };

/**
 * Stores what a provider must receive back for a step, within a transaction; replaces that of an attempt of the same
 * step whose calls were not stored. Stores nothing if another run has started, or the reply has ended.
 */
export async function storeTurn(
  db: Queryable,
  { id, run }: Pick<MessageRow, "id" | "run">,
  { step, model, turn }: UnstoredTurn,
): Promise<void> {
  if (!(await holdRun(db, { id, run }))) return;
  await db.deleteFrom("provider_turns").where("message_id", "=", id).where("step", "=", step).execute();
  if (!turn) return;
  const row: ProviderTurnRow = { message_id: id, step, model, body: JSON.stringify(turn) };
  await db.insertInto("provider_turns").values(row).execute();
}

/**
 * Locks the row of a running reply until the end of the transaction, so that no other process takes it over meanwhile.
 * @returns false if another run has started, or the reply has ended
 */
export async function holdRun(db: Queryable, { id, run }: Pick<MessageRow, "id" | "run">): Promise<boolean> {
  const held = await db
    .updateTable("messages")
    .set({ run })
    .where("id", "=", id)
    .where("run", "=", run)
    .where("state", "=", RUNNING)
    .executeTakeFirst();
  return held.numUpdatedRows > 0n;
}

export async function listTurns(db: Queryable, messageId: string): Promise<StepTurn[]> {
  const rows = await db.selectFrom("provider_turns").selectAll().where("message_id", "=", messageId).execute();
  return rows.map(({ step, model, body }) => ({ step, model, turn: JSON.parse(body) }));
}

/** Removes what providers had to receive back during an answer that has ended, and the resumptions of its calls. */
export async function removeTurns(db: Queryable, messageId: string): Promise<void> {
  for (const table of ["provider_turns", "tool_resumptions"] as const) {
    await db.deleteFrom(table).where("message_id", "=", messageId).execute();
  }
}

/** States in which a reply may go on with the results of its calls. */
const UNENDED: readonly MessageRow["state"][] = [RUNNING, WAITING, "interrupted"];

/** Whether a reply in this state still needs the turns of its providers. */
export const needsTurns = (state: MessageRow["state"]): boolean => UNENDED.includes(state);
