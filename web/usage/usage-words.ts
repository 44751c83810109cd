/** Formats usage numbers for the reader's locale. */

import { SECOND } from "#contract/limits.ts";
import { UNKNOWN } from "../locales/cost-text.ts";
import usage from "../locales/en/usage.json";
import { i18n, registerTexts } from "../locales/i18n.ts";

registerTexts("usage", usage);

/** Returns a model's name at its provider, without the provider's prefix. */
export function modelName(value: string): string {
  return value.startsWith("DEMO:") ? i18n.t("demo", { ns: "usage" }) : value.replace(/^[A-Z0-9-]+:/, "");
}

/** Formats a number of tokens, e.g. `1,234`, `1.2M`, `≈ 56`. */
export function tokensText(tokens: number | null, isEstimate: boolean, locale: string): string {
  if (tokens === null) return UNKNOWN;
  const isLong = tokens >= 1_000_000;
  const text = new Intl.NumberFormat(locale, isLong ? { notation: "compact", maximumFractionDigits: 2 } : {}).format(
    tokens,
  );
  return isEstimate ? `≈ ${text}` : text;
}

type TokenShares = {
  cachedInputTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  reasoningTokens?: number | undefined;
};

/** Names the shares of input and output that are not 0, such as `of which 800 from the cache`. */
export function shareTexts(shares: TokenShares, locale: string): { input: string[]; output: string[] } {
  const { cachedInputTokens, cacheWriteTokens, reasoningTokens } = shares;
  const text = (key: "ofWhichCached" | "ofWhichWritten" | "ofWhichReasoning", tokens = 0) =>
    tokens === 0 ? [] : [i18n.t(key, { ns: "usage", tokens: tokensText(tokens, false, locale) })];
  return {
    input: [...text("ofWhichCached", cachedInputTokens), ...text("ofWhichWritten", cacheWriteTokens)],
    output: text("ofWhichReasoning", reasoningTokens),
  };
}

/** Formats a duration in seconds, e.g. `4.2 s`. */
export function durationText(ms: number, locale: string): string {
  const isShort = ms < 10 * SECOND;
  const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: isShort ? 1 : 0 }).format(ms / SECOND);
  return i18n.t("seconds", { ns: "usage", seconds });
}

/** Formats `2026-01` as `January 2026`, or shorter. */
export function monthText(month: string, locale: string, form: "long" | "short" | "narrow" = "long"): string {
  const year = form === "long" ? { year: "numeric" as const } : {};
  return new Intl.DateTimeFormat(locale, { month: form, ...year, timeZone: "UTC" }).format(Date.parse(`${month}-01`));
}
