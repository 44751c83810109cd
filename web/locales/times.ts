/** Formats times for the reader's locale and time zone. All times are Unix times in ms. */

import { DAY, HOUR, MINUTE } from "#contract/limits.ts";

/** Formats "2 hours ago"; null within the last minute, and if the client's clock is behind the server's. */
export function timeAgo(at: number, now: number, locale: string): string | null {
  const age = now - at;
  if (age < MINUTE) return null;
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (age < HOUR) return words.format(-Math.floor(age / MINUTE), "minute");
  if (age < DAY) return words.format(-Math.floor(age / HOUR), "hour");
  if (age < 30 * DAY) return words.format(-Math.floor(age / DAY), "day");
  if (age < 365 * DAY) return words.format(-Math.floor(age / (30 * DAY)), "month");
  return words.format(-Math.floor(age / (365 * DAY)), "year");
}

/** Formatters of {@link exactTime} by locale: every message has a time, and creating a formatter is slow. */
const exactFormats = new Map<string, Intl.DateTimeFormat>();

/** "Nov 17, 2025, 4:05 PM". */
export function exactTime(at: number, locale: string): string {
  const known = exactFormats.get(locale);
  const format = known ?? new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  if (!known) exactFormats.set(locale, format);
  return formatTime(format, at);
}

/** "4:05 PM". */
export const timeOfDay = (at: number, locale: string) =>
  formatTime(new Intl.DateTimeFormat(locale, { timeStyle: "short" }), at);

/** "November 17, 2025". */
export const longDate = (at: number, locale: string) =>
  formatTime(new Intl.DateTimeFormat(locale, { dateStyle: "long" }), at);

/** Returns an empty text for a number that is no time: the formatter would throw, and the page would be lost. */
const formatTime = (format: Intl.DateTimeFormat, at: number) =>
  Number.isNaN(new Date(at).getTime()) ? "" : format.format(at);
