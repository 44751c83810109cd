import type { TokenUsage } from "../models/model.ts";
import type { MostTokens } from "../models/most-tokens.ts";
import type { Price } from "../models/prices.ts";

/** Shares of a call's tokens; null where the provider reported none. */
export type TokenShares = {
  /** Input that was read from the provider's cache. */
  cachedInputTokens: number | null;
  /** Input that was written to the provider's cache. */
  cacheWriteTokens: number | null;
  /** Output that is reasoning. */
  reasoningTokens: number | null;
};

export const noShares: TokenShares = { cachedInputTokens: null, cacheWriteTokens: null, reasoningTokens: null };

/** Returns the reported shares, clamped so that they do not exceed their wholes. */
export function sharesOf(usage: TokenUsage, inputTokens: number, outputTokens: number): TokenShares {
  const cachedInputTokens = atMost(inputTokens, usage.cachedInputTokens);
  return {
    cachedInputTokens,
    cacheWriteTokens: atMost(inputTokens - (cachedInputTokens ?? 0), usage.cacheWriteTokens),
    reasoningTokens: atMost(outputTokens, usage.reasoningTokens),
  };
}

function atMost(whole: number, share: number | undefined): number | null {
  return share === undefined ? null : Math.min(Math.max(share, 0), whole);
}

type PricedTokens = TokenShares & { inputTokens: number | null; outputTokens: number };

const PICO_PER_NANO = 1000;

/** Returns the cost in 1e-9 US dollars, a safe integer; null without a price. */
export function costOf(tokens: PricedTokens, price: Price | undefined): number | null {
  if (!price) return null;
  const cached = tokens.cachedInputTokens ?? 0;
  const written = tokens.cacheWriteTokens ?? 0;
  const plain = (tokens.inputTokens ?? 0) - cached - written;
  const pico =
    plain * picoUsd(price.input) +
    cached * picoUsd(price.cacheRead ?? price.input) +
    written * picoUsd(price.cacheWrite ?? price.input) +
    tokens.outputTokens * picoUsd(price.output);
  return Math.min(Math.round(pico / PICO_PER_NANO), Number.MAX_SAFE_INTEGER);
}

/** Returns the most that a call can cost: input that is written to a cache may cost more than other input. */
export function mostCost(price: Price, sent: MostTokens, received: MostTokens): number {
  const input = Math.max(price.input, price.cacheWrite ?? 0);
  const tokens = { inputTokens: sent.most, outputTokens: received.most, ...noShares };
  return costOf(tokens, { input, output: price.output }) ?? 0;
}

/** Converts dollars per million tokens to 1e-12 dollars per token: an integer, so that sums have no rounding errors. */
function picoUsd(dollarsPerMillion: number): number {
  return Math.round(dollarsPerMillion * 1e6);
}
