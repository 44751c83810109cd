import { DAY } from "#contract/limits.ts";
import type { CallUsage, MessageUsage, ModelUsage, MonthUsage, Usage } from "#contract/models/usage.ts";
import type { Clock } from "../concurrency/clock.ts";
import { toUsd } from "../database/nano-usd.ts";
import type { Database, ModelCallRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { PRICES_AS_OF } from "../models/prices.ts";
import { noShares, type TokenShares } from "./token-cost.ts";
import { type DayOfModel, listCallsOf, sumCalls } from "./usage-store.ts";

export type UsageDeps = { database: Database; clock: Clock };

/** Returns the usage of one reply over all its runs. @throws Failure `not-found` */
export async function usageOfMessage(
  { database }: UsageDeps,
  userId: string,
  message: { chatId: string; messageId: string },
): Promise<MessageUsage> {
  const rows = await listCallsOf(database, userId, message);
  if (!rows) throw new Failure("not-found");
  const sums = addUp(rows.map(toSums));
  const durationMs = rows.reduce((sum, row) => sum + (row.duration_ms ?? 0), 0);
  return { calls: rows.map(toCall), ...toTotals(sums), durationMs };
}

/** Returns the usage of an account in this month and the `months - 1` months before; a month begins at midnight UTC. */
export async function usageOfMonths(
  { database, clock }: UsageDeps,
  userId: string,
  months: number,
): Promise<Omit<Usage, "budgets">> {
  const now = new Date(clock.now());
  const starts = Array.from({ length: months }, (_, back) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1),
  );
  const days = await sumCalls(database, userId, starts.at(-1) ?? 0);
  const byMonth = Map.groupBy(days, ({ day }) => monthOf(day * DAY));
  return {
    months: starts.map(monthOf).map((month) => toMonth(month, byMonth.get(month) ?? [])),
    pricesAsOf: PRICES_AS_OF,
  };
}

/** Formats a month in UTC, e.g. `2026-01`. @param at Unix time in ms */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

function toMonth(month: string, days: DayOfModel[]): MonthUsage {
  const models = [...Map.groupBy(days, ({ model }) => model)].map(([model, ofModel]): ModelUsage => {
    const sums = addUp(ofModel);
    return { model, calls: sums.calls, ...toTotals(sums) };
  });
  models.sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || tokensOf(b) - tokensOf(a) || (a.model < b.model ? -1 : 1));
  const sums = addUp(days);
  return { month, calls: sums.calls, ...toTotals(sums), models };
}

type Sums = Omit<DayOfModel, "day" | "model">;

function toSums(row: ModelCallRow): Sums {
  return {
    calls: 1,
    inputTokens: row.input_tokens ?? 0,
    outputTokens: row.output_tokens ?? 0,
    cachedInputTokens: row.cached_input_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    reasoningTokens: row.reasoning_tokens,
    estimated: row.is_estimate,
    cost: row.cost_nano_usd,
    unpriced: row.cost_nano_usd === null ? 1 : 0,
  };
}

function addUp(parts: readonly Sums[]): Sums {
  const sums: Sums = { calls: 0, inputTokens: 0, outputTokens: 0, ...noShares, estimated: 0, cost: null, unpriced: 0 };
  for (const part of parts) {
    sums.calls += part.calls;
    sums.inputTokens += part.inputTokens;
    sums.outputTokens += part.outputTokens;
    sums.cachedInputTokens = addKnown(sums.cachedInputTokens, part.cachedInputTokens);
    sums.cacheWriteTokens = addKnown(sums.cacheWriteTokens, part.cacheWriteTokens);
    sums.reasoningTokens = addKnown(sums.reasoningTokens, part.reasoningTokens);
    sums.estimated += part.estimated;
    sums.unpriced += part.unpriced;
    sums.cost = addKnown(sums.cost, part.cost);
  }
  return sums;
}

/** Null if neither is known. */
function addKnown(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

function toTotals({ inputTokens, outputTokens, estimated, cost, unpriced, ...shares }: Sums) {
  return {
    inputTokens,
    outputTokens,
    ...knownShares(shares),
    estimated,
    cost: cost === null ? null : toUsd(cost),
    unpriced,
  };
}

/** Omits the shares that no provider reported. */
function knownShares({ cachedInputTokens, cacheWriteTokens, reasoningTokens }: TokenShares) {
  return {
    ...(cachedInputTokens !== null && { cachedInputTokens }),
    ...(cacheWriteTokens !== null && { cacheWriteTokens }),
    ...(reasoningTokens !== null && { reasoningTokens }),
  };
}

function tokensOf({ inputTokens, outputTokens }: ModelUsage): number {
  return inputTokens + outputTokens;
}

function toCall(row: ModelCallRow): CallUsage {
  return {
    model: row.model,
    purpose: row.purpose,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    ...knownShares({
      cachedInputTokens: row.cached_input_tokens,
      cacheWriteTokens: row.cache_write_tokens,
      reasoningTokens: row.reasoning_tokens,
    }),
    isEstimate: row.is_estimate === 1,
    cost: row.cost_nano_usd === null ? null : toUsd(row.cost_nano_usd),
    at: row.at,
    durationMs: row.duration_ms,
  };
}
