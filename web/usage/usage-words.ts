/** Numbers of usage as a person reads them. */

import { SECOND } from "#contract/limits.ts";
import usage from "../locales/en/usage.json";
import { i18n, registerTexts } from "../locales/i18n.ts";

registerTexts("usage", usage);

/** What stands where nothing is known. */
export const UNKNOWN = "–";

/** A model by the name that its provider knows. */
export function modelName(value: string): string {
  return value.startsWith("DEMO:") ? i18n.t("demo", { ns: "usage" }) : value.replace(/^[A-Z]+:/, "");
}

/** E.g. `1,234`, `1.2M`, `≈ 56`. */
export function tokensText(tokens: number | null, isEstimate: boolean, locale: string): string {
  if (tokens === null) return UNKNOWN;
  const isLong = tokens >= 1_000_000;
  const text = new Intl.NumberFormat(locale, isLong ? { notation: "compact", maximumFractionDigits: 2 } : {}).format(
    tokens,
  );
  return isEstimate ? `≈ ${text}` : text;
}

const SMALL = 0.01;

/** US dollars, those below a cent by their first two digits: `$1.20`, `$0.00034`. */
export function costText(cost: number | null, isEstimate: boolean, locale: string): string {
  if (cost === null) return UNKNOWN;
  const digits = cost > 0 && cost < SMALL ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  const written = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    ...digits,
  }).format(cost);
  // Arabic ends with `US$`: the mark that follows keeps the sign behind its letters.
  const text = written.replace(/US\$$/, "$&\u200e");
  return isEstimate ? `≈ ${text}` : text;
}

/** E.g. `4.2 s`. */
export function durationText(ms: number, locale: string): string {
  const isShort = ms < 10 * SECOND;
  const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: isShort ? 1 : 0 }).format(ms / SECOND);
  return i18n.t("seconds", { ns: "usage", seconds });
}

/** `2026-01` as `January 2026`, or shorter. */
export function monthText(month: string, locale: string, form: "long" | "short" | "narrow" = "long"): string {
  const year = form === "long" ? { year: "numeric" as const } : {};
  return new Intl.DateTimeFormat(locale, { month: form, ...year, timeZone: "UTC" }).format(Date.parse(`${month}-01`));
}
