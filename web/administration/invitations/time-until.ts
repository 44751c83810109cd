import { DAY, HOUR, MINUTE } from "#contract/limits.ts";

/** Formats "in 5 days", rounded, and at least one minute. Times are Unix times in ms. */
export function timeUntil(at: number, now: number, locale: string): string {
  const left = at - now;
  // "Tomorrow" could be another calendar day than the one in 30 hours.
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  if (left >= DAY - HOUR / 2) return words.format(Math.round(left / DAY), "day");
  if (left >= HOUR - MINUTE / 2) return words.format(Math.round(left / HOUR), "hour");
  return words.format(Math.max(1, Math.round(left / MINUTE)), "minute");
}
