/** Formats usage numbers for the reader's locale. */

import { SECOND } from "#contract/limits.ts";
import usage from "../locales/en/usage.json";
import { i18n, registerTexts } from "../locales/i18n.ts";

registerTexts("usage", usage);

/** Shown for an unknown value. */
export const UNKNOWN = "–";

/** Returns a model's name at its provider, without the provider's prefix. */
export function modelName(value: string): string {
  return value.startsWith("DEMO:") ? i18n.t("demo", { ns: "usage" }) : value.replace(/^[A-Z]+:/, "");
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

const SMALL = 0.01;

/** Formats US dollars; amounts below a cent with two significant digits: `$1.20`, `$0.00034`. */
export function costText(cost: number | null, isEstimate: boolean, locale: string): string {
  if (cost === null) return UNKNOWN;
  const digits = cost > 0 && cost < SMALL ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  const text = dollars(cost, digits, locale);
  return isEstimate ? `≈ ${text}` : text;
}

/** Formats US dollars rounded to cents: `$1.20`, `$0.00`. */
export const centsText = (usd: number, locale: string): string => dollars(usd, { maximumFractionDigits: 2 }, locale);

function dollars(usd: number, digits: Intl.NumberFormatOptions, locale: string): string {
  const written = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    ...digits,
  }).format(usd);
  // In Arabic the text ends with `US$`: a left-to-right mark keeps the sign after its letters.
  return written.replace(/US\$$/, "$&\u200e");
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
