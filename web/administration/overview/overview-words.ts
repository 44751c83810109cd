/** Formats values of the overview for the reader's locale. */

import { DAY, HOUR, MINUTE } from "#contract/limits.ts";

/** Formats `2026-01-31`, a day in UTC, as `January 31`. */
export const dayText = (day: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { month: "long", day: "numeric", timeZone: "UTC" }).format(Date.parse(day));

/** Formats a duration in its largest useful unit: `5 minutes`, `30 hours`, `3 days`. */
export function uptimeText(ms: number, locale: string): string {
  const [unit, size] =
    ms < HOUR ? (["minute", MINUTE] as const) : ms < 2 * DAY ? (["hour", HOUR] as const) : (["day", DAY] as const);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(Math.floor(ms / size));
}
