import type { FormAnswers } from "#contract/conversation/tool-forms.ts";
import type { MessageRow, Queryable } from "../../../database/schema.ts";
import type { CallResumption } from "../../../tools/tool.ts";
import { holdRun } from "./provider-turn-store.ts";

/**
 * A stored resumption of a call. `state`: absent while the call asks without being able to continue in another process.
 * `question`: id of the question that `answers` answer.
 */
export type StoredResumption = Partial<CallResumption> & { question?: string };

/** Stores the resumption of a call, within a transaction. @returns false if another run has started, or the reply ended */
export async function storeResumption(
  db: Queryable,
  reply: Pick<MessageRow, "id" | "run">,
  seq: number,
  resumption: StoredResumption,
): Promise<boolean> {
  if (!(await holdRun(db, reply))) return false;
  await replaceResumption(db, reply.id, seq, resumption);
  return true;
}

async function replaceResumption(db: Queryable, messageId: string, seq: number, body: StoredResumption): Promise<void> {
  await db
    .insertInto("tool_resumptions")
    .values({ message_id: messageId, seq, body: JSON.stringify(body) })
    .onConflict((conflict) => conflict.columns(["message_id", "seq"]).doUpdateSet({ body: JSON.stringify(body) }))
    .execute();
}

/** Lists the resumptions of the calls of a reply, by the `seq` of their parts. */
export async function listResumptions(db: Queryable, messageId: string): Promise<Map<number, StoredResumption>> {
  const rows = await db.selectFrom("tool_resumptions").selectAll().where("message_id", "=", messageId).execute();
  return new Map(rows.map(({ seq, body }) => [seq, JSON.parse(body)]));
}

/**
 * Stores the answers to a question of a call. `answers`: null: the person refuses.
 * @returns false if the call does not ask this question any more, or another request has answered it
 */
export async function storeAnswers(
  db: Queryable,
  { id, seq }: { id: string; seq: number },
  question: string,
  answers: FormAnswers | null,
): Promise<boolean> {
  const ofCall = db.selectFrom("tool_resumptions").select("body").where("message_id", "=", id).where("seq", "=", seq);
  const row = await ofCall.executeTakeFirst();
  const resumption: StoredResumption = row ? JSON.parse(row.body) : {};
  if (!row || resumption.question !== question || resumption.answers !== undefined) return false;
  const { numUpdatedRows } = await db
    .updateTable("tool_resumptions")
    .set({ body: JSON.stringify({ ...resumption, answers }) })
    .where("message_id", "=", id)
    .where("seq", "=", seq)
    .where("body", "=", row.body)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
