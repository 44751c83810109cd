import { RUNNING, WAITING } from "#contract/conversation/reply-state.ts";
import type { MessageRow, Queryable } from "../../../database/schema.ts";
import type { ProviderTurnRow } from "../../../database/tables/tool-tables.ts";
import type { ProviderTurn } from "../../../models/tool-calls/tool-call.ts";

/** What a model (a value) must receive back with the results of a step. */
export type StepTurn = { step: number; model: string; turn: ProviderTurn };

/** Stores what a provider must receive back; replaces that of an attempt of the same step. */
export async function storeTurn(db: Queryable, messageId: string, { step, model, turn }: StepTurn): Promise<void> {
  const row: ProviderTurnRow = { message_id: messageId, step, model, body: JSON.stringify(turn) };
  await db
    .insertInto("provider_turns")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["message_id", "step"])
        .doUpdateSet((eb) => ({ model: eb.ref("excluded.model"), body: eb.ref("excluded.body") })),
    )
    .execute();
}

export async function listTurns(db: Queryable, messageId: string): Promise<StepTurn[]> {
  const rows = await db.selectFrom("provider_turns").selectAll().where("message_id", "=", messageId).execute();
  return rows.map(({ step, model, body }) => ({ step, model, turn: JSON.parse(body) }));
}

/** Removes what providers had to receive back during an answer that has ended. */
export async function removeTurns(db: Queryable, messageId: string): Promise<void> {
  await db.deleteFrom("provider_turns").where("message_id", "=", messageId).execute();
}

/** States in which a reply may go on with the results of its calls. */
const UNENDED: readonly MessageRow["state"][] = [RUNNING, WAITING, "interrupted"];

/** Whether a reply in this state still needs the turns of its providers. */
export const needsTurns = (state: MessageRow["state"]): boolean => UNENDED.includes(state);
