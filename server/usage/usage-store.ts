import { newId } from "../database/new-id.ts";
import type { ModelCallRow, Queryable } from "../database/schema.ts";
import type { CallCount } from "./call-count.ts";

/** A call and what it was for. `at`: when it ended, ms since 1970; `messageId`: none for what is not a stored reply. */
export type CountedCall = CallCount & { purpose: ModelCallRow["purpose"]; messageId?: string; at: number };

/** Stores that an account has called a provider, as a row of its own; nothing for an account that is gone. */
export async function countCall(db: Queryable, userId: string, call: CountedCall): Promise<void> {
  await countCalls(db, userId, [call]);
}

/** {@link countCall} of several, in the order in which they were made. */
export async function countCalls(db: Queryable, userId: string, calls: readonly CountedCall[]): Promise<void> {
  if (calls.length === 0) return;
  const user = await db.selectFrom("users").select("id").where("id", "=", userId).executeTakeFirst();
  if (!user) return;
  await db
    .insertInto("model_calls")
    .values(calls.map((call) => toRow(userId, call)))
    .execute();
}

function toRow(userId: string, call: CountedCall): ModelCallRow {
  return {
    id: newId(),
    user_id: userId,
    message_id: call.messageId ?? null,
    purpose: call.purpose,
    model: call.model,
    input_tokens: call.inputTokens,
    output_tokens: call.outputTokens,
    is_estimate: call.isEstimate ? 1 : 0,
    cost_nano_usd: call.costNanoUsd,
    at: call.at,
    duration_ms: call.durationMs,
  };
}
