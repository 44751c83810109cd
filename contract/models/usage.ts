import * as z from "zod/mini";
import { CALLS_OF_REPLY_MAX, USAGE_MONTHS_MAX } from "../limits.ts";
import { wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";
import { ownBudgetsSchema } from "./budgets.ts";

/** Purpose of a call: a reply, the title of a chat, a reply in a temporary chat, or an administrator's test. */
export const callPurposeSchema = z.enum(["reply", "title", "temporary", "test"]);
export type CallPurpose = z.infer<typeof callPurposeSchema>;

/** Shares of the input and the output; absent where the provider reports none. */
const shares = {
  /** Input that was read from the provider's cache. */
  cachedInputTokens: z.optional(z.number()),
  /** Input that was written to the provider's cache. */
  cacheWriteTokens: z.optional(z.number()),
  /** Output that is reasoning. */
  reasoningTokens: z.optional(z.number()),
};

/** One call to a provider. */
export const callUsageSchema = z.object({
  model: z.string(),
  purpose: callPurposeSchema,
  /** Null if unknown, e.g. if the provider refused the call. */
  inputTokens: z.nullable(z.number()),
  outputTokens: z.nullable(z.number()),
  ...shares,
  /** The provider did not report token counts: these are estimates. */
  isEstimate: z.boolean(),
  /** US dollars at the prices of that day; null if the model has no price. */
  cost: z.nullable(z.number()),
  /** Unix time in ms of its beginning. */
  at: timeField(),
  /** Duration; null if the process died before its end. */
  durationMs: z.nullable(z.number()),
});
export type CallUsage = z.infer<typeof callUsageSchema>;

/** Sums over the calls of one reply, model or month. */
const totals = {
  inputTokens: z.number(),
  outputTokens: z.number(),
  ...shares,
  /** US dollars; null if no call has a price. */
  cost: z.nullable(z.number()),
  /** Calls whose tokens are estimated. */
  estimated: z.number(),
  /** Calls of models without a price; not included in `cost`. */
  unpriced: z.number(),
};

/** Usage of one reply: the calls of all its runs, oldest first. */
export const messageUsageSchema = z.object({
  calls: z.array(callUsageSchema).check(z.maxLength(CALLS_OF_REPLY_MAX)),
  ...totals,
  durationMs: z.number(),
});
export type MessageUsage = z.infer<typeof messageUsageSchema>;

export const modelUsageSchema = z.object({ model: z.string(), calls: z.number(), ...totals });
export type ModelUsage = z.infer<typeof modelUsageSchema>;

/** A calendar month (UTC), such as `2026-01`, with the models called in it, most expensive first. */
export const monthUsageSchema = z.object({
  month: z.string(),
  calls: z.number(),
  ...totals,
  models: z.array(modelUsageSchema),
});
export type MonthUsage = z.infer<typeof monthUsageSchema>;

/** All requested months, newest first, including months without calls. `pricesAsOf`: date of the built-in prices. */
export const usageSchema = z.object({
  months: z.array(monthUsageSchema).check(z.maxLength(USAGE_MONTHS_MAX)),
  pricesAsOf: z.string(),
  budgets: ownBudgetsSchema,
});
export type Usage = z.infer<typeof usageSchema>;

export const usageQuerySchema = z.object({
  months: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(USAGE_MONTHS_MAX))),
});

export const messageParamsSchema = z.object({
  id: z.string().check(z.overwrite(wellFormed)),
  messageId: z.string().check(z.overwrite(wellFormed)),
});
