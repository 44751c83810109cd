import { sql } from "kysely";
import { CALLS_OF_REPLY_MAX, DAY } from "#contract/limits.ts";
import { newId } from "../database/new-id.ts";
import { prepared, preparedForRows } from "../database/prepared.ts";
import type { ModelCallRow, Queryable, UserRow } from "../database/schema.ts";
import type { CallCount } from "./call-count.ts";
import type { TokenShares } from "./token-cost.ts";

/**
 * A call with its purpose. `id`: absent for a new one; the same id is counted once. `at`: Unix time in ms that counts if
 * `begunAt` is unknown; `messageId`: undefined for calls without a stored reply.
 */
export type CountedCall = CallCount & {
  id?: string;
  purpose: ModelCallRow["purpose"];
  messageId?: string;
  at: number;
};

const selectUser = prepared((db, { userId }: { userId: string }) =>
  db.selectFrom("users").select("group_id").where("id", "=", userId),
);
const insertCalls = preparedForRows((db, calls: ModelCallRow[]) =>
  db
    .insertInto("model_calls")
    .values(calls)
    // A transaction whose confirmation was lost is repeated.
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

/** Stores an account's calls to providers as rows, in order; nothing if the account was removed. */
export async function countCalls(db: Queryable, userId: string, calls: readonly CountedCall[]): Promise<void> {
  if (calls.length === 0) return;
  const [user] = await selectUser(db, { userId });
  if (!user) return;
  const rows: ModelCallRow[] = [];
  for (const call of calls) rows.push(toRow({ id: userId, ...user }, await withReservation(db, call)));
  await insertCalls(db, rows);
}

/** Adds what is stored about a call whose process has died, before its reservations are settled. */
async function withReservation(db: Queryable, call: CountedCall): Promise<CountedCall> {
  const { messageId, durationMs } = call;
  if (durationMs !== null || messageId === undefined) return call;
  const rows = await db
    .selectFrom("budget_reservations")
    .select(["scope", "at"])
    .where("message_id", "=", messageId)
    .orderBy("at", "desc")
    .execute();
  return { ...call, begunAt: rows[0]?.at, budgets: rows.map(({ scope }) => scope) };
}

const GROUP = "group:";

function toRow({ id: userId, group_id }: Pick<UserRow, "id" | "group_id">, call: CountedCall): ModelCallRow {
  const { budgets = [] } = call;
  return {
    // The group may have been changed since the call began.
    group_id: budgets.find((scope) => scope.startsWith(GROUP))?.slice(GROUP.length) ?? group_id,
    budgets: [...new Set(budgets)].join(" "),
    id: call.id ?? newId(),
    user_id: userId,
    message_id: call.messageId ?? null,
    purpose: call.purpose,
    model: call.model,
    input_tokens: call.inputTokens,
    output_tokens: call.outputTokens,
    cached_input_tokens: call.cachedInputTokens,
    cache_write_tokens: call.cacheWriteTokens,
    reasoning_tokens: call.reasoningTokens,
    is_estimate: call.isEstimate ? 1 : 0,
    cost_nano_usd: call.costNanoUsd,
    at: call.begunAt ?? call.at,
    duration_ms: call.durationMs,
  };
}

/** Lists the calls of a message, oldest first; `undefined` if the account has no such message in that chat. */
export async function listCallsOf(
  db: Queryable,
  userId: string,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<ModelCallRow[] | undefined> {
  const message = await db
    .selectFrom("messages")
    .innerJoin("chats", "chats.id", "messages.chat_id")
    .select("messages.id")
    .where("messages.id", "=", messageId)
    .where("messages.chat_id", "=", chatId)
    .where("messages.user_id", "=", userId)
    .where("chats.deleted_at", "is", null)
    .executeTakeFirst();
  if (!message) return undefined;
  return db
    .selectFrom("model_calls")
    .selectAll()
    .where("message_id", "=", messageId)
    .where("user_id", "=", userId)
    .orderBy("at")
    .orderBy("id")
    .limit(CALLS_OF_REPLY_MAX)
    .execute();
}

/** Usage of a model by an account on a day (days since 1970, UTC). Cost in 1e-9 US dollars; null if unknown. */
export type DayOfModel = TokenShares & {
  day: number;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  estimated: number;
  cost: number | null;
  unpriced: number;
};

/** Sums calls by day and model, from a time (Unix time in ms) on. */
export async function sumCalls(db: Queryable, userId: string, from: number): Promise<DayOfModel[]> {
  const sum = (column: "input_tokens" | "output_tokens" | "is_estimate") =>
    sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as double precision)`;
  /** Null if no row has a value. Large sums exceed the safe integers of JavaScript. */
  const knownSum = (column: "cached_input_tokens" | "cache_write_tokens" | "reasoning_tokens" | "cost_nano_usd") =>
    sql<number | null>`cast(sum(${sql.ref(column)}) as double precision)`;
  return db
    .selectFrom("model_calls")
    .select((eb) => [
      sql<number>`at / ${sql.lit(DAY)}`.as("day"),
      "model",
      eb.fn.countAll<number>().as("calls"),
      sum("input_tokens").as("inputTokens"),
      sum("output_tokens").as("outputTokens"),
      knownSum("cached_input_tokens").as("cachedInputTokens"),
      knownSum("cache_write_tokens").as("cacheWriteTokens"),
      knownSum("reasoning_tokens").as("reasoningTokens"),
      sum("is_estimate").as("estimated"),
      knownSum("cost_nano_usd").as("cost"),
      sql<number>`count(*) - count(cost_nano_usd)`.as("unpriced"),
    ])
    .where("user_id", "=", userId)
    .where("at", ">=", from)
    .groupBy([sql`at / ${sql.lit(DAY)}`, "model"])
    .execute();
}
