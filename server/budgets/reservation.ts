import type { BudgetScopeName } from "#contract/models/budgets.ts";
import { tokensForModel } from "../models/attachments/prompt-files.ts";
import { type Model, outputLimit, type Prompt } from "../models/model.ts";
import { ModelError } from "../models/model-error.ts";
import { type MostTokens, noTokens } from "../models/most-tokens.ts";
import type { Price } from "../models/prices.ts";
import { mostCost } from "../usage/token-cost.ts";

/** A model whose calls cost money. `maxOutputTokens`: the limit of an answer, of the model or of one call. */
export type PricedModel = Pick<Model, "value" | "maxOutputTokens"> & { price: Price };

/** A call. `model`: with the limit of its answer; `sent`: the most tokens of its prompt. */
export type PlannedCall = { model: PricedModel; sent: MostTokens };

/** Most of a month's budget is spent. `percent`: of it. */
export type BudgetWarning = { kind: BudgetScopeName; percent: number };

/**
 * Money for a call of a model. `at`: when it was reserved, which decides on the month of the call. `amount`: in 1e-9 US dollars; `outputTokens`: limit of the answer. `warnings`: those that
 * the account gets with this reply.
 */
export type Reservation = {
  id: string;
  at: number;
  model: string;
  amount: number;
  outputTokens: number;
  warnings: readonly BudgetWarning[];
};

/** Largest answer for which money is reserved: a larger one would block small budgets. */
const RESERVED_OUTPUT_TOKENS = 8192;
/** Smallest limit of an answer that is worth a call. */
const LEAST_OUTPUT_TOKENS = 256;
const NANO_USD_PER_TOKEN = 1000;

export function isPriced<M extends Pick<Model, "price">>(model: M): model is M & { price: Price } {
  const { price } = model;
  return price !== undefined && (price.input > 0 || price.output > 0);
}

/** Returns a model with the limit of a call's answer, so that no more is reserved than the call can cost. */
export function limitedBy<M extends PricedModel>({ value, price, ...model }: M, prompt: Prompt): PricedModel {
  return { value, price, maxOutputTokens: outputLimit(model, prompt) };
}

/** Returns the limit of an answer if there is enough money. */
export function mostOutputTokens({ maxOutputTokens }: PricedModel): number {
  return Math.min(maxOutputTokens, RESERVED_OUTPUT_TOKENS);
}

/** Returns the smallest limit of an answer. */
export function leastOutputTokens({ maxOutputTokens }: PricedModel): number {
  return Math.min(maxOutputTokens, LEAST_OUTPUT_TOKENS);
}

/** Returns the limit of an answer for which `amount` is enough; negative if it is too little for the prompt. */
export function affordableTokens(model: PricedModel, sent: MostTokens, amount: number): number {
  const { price } = model;
  const left = amount - mostCost(price, sent, noTokens);
  const most = mostOutputTokens(model);
  if (left < 0) return -1;
  const tokens = Math.min(most, Math.floor(left / (price.output * NANO_USD_PER_TOKEN)));
  // Division rounds, and a free answer divides by zero.
  const limit = Number.isFinite(tokens) ? tokens : most;
  return mostCost(price, sent, { most: limit }) > amount ? limit - 1 : limit;
}

/** Amount that is reserved for a call, and the limit of its answer. */
export type Money = Pick<Reservation, "amount" | "outputTokens">;

/** Returns the money for an answer of at most `outputTokens`. */
export function moneyFor({ model, sent }: PlannedCall, outputTokens: number): Money {
  return { outputTokens, amount: mostCost(model.price, sent, { most: outputTokens }) };
}

/** Returns the most tokens of a prompt for a model; undefined if its last turn does not fit. */
export function mostTokensFor(prompt: Prompt, model: Model): MostTokens | undefined {
  try {
    return tokensForModel(prompt, model);
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}
