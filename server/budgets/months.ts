import { DAY, HOUR } from "#contract/limits.ts";
import { monthOf } from "../usage/usage.ts";

export const UTC = "UTC";

/** Formatters by time zone, because making one takes longer than formatting. */
const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

/** Returns undefined for a name that this version of Node.js does not know. */
function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!formatters.has(timeZone)) formatters.set(timeZone, createFormatter(timeZone));
  return formatters.get(timeZone);
}

function createFormatter(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", { timeZone, year: "numeric", month: "2-digit" });
  } catch {
    return undefined;
  }
}

/**
 * Formats the calendar month in a time zone, e.g. `2026-11`. An unknown zone counts as UTC.
 * @param at Unix time in ms
 */
export function monthIn(timeZone: string, at: number): string {
  const formatter = timeZone === UTC ? undefined : formatterOf(timeZone);
  if (!formatter) return monthOf(at);
  const parts = new Map(formatter.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}`;
}

/** Zones differ from UTC by less. */
const MAX_OFFSET_MS = 15 * HOUR;

/**
 * Returns the first ms of the next calendar month in a time zone. It is found by bisection, so that it is exact if the
 * clocks change in that night.
 * @param at Unix time in ms
 */
export function nextMonthIn(timeZone: string, at: number): number {
  const month = monthIn(timeZone, at);
  const [year = 0, number = 0] = month.split("-").map(Number);
  const inUtc = Date.UTC(year, number);
  let last = Math.max(at, inUtc - MAX_OFFSET_MS);
  let next = inUtc + MAX_OFFSET_MS;
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2);
    if (monthIn(timeZone, middle) === month) last = middle;
    else next = middle;
  }
  return next;
}

/** Returns the first ms of the calendar month in a time zone. @param at Unix time in ms */
export function monthStartIn(timeZone: string, at: number): number {
  const [year = 0, number = 0] = monthIn(timeZone, at).split("-").map(Number);
  return nextMonthIn(timeZone, Date.UTC(year, number - 1) - 2 * DAY);
}

/** A calendar month in a time zone, from `beginsAt` until before `endsAt`, Unix times in ms. */
export type Period = { month: string; beginsAt: number; endsAt: number };

/** The last period of each time zone, because finding one takes some 100 µs. */
const periods = new Map<string, Period>();

/** Returns the calendar month in a time zone. @param at Unix time in ms */
export function periodIn(timeZone: string, at: number): Period {
  const known = periods.get(timeZone);
  if (known && at >= known.beginsAt && at < known.endsAt) return known;
  const period = {
    month: monthIn(timeZone, at),
    beginsAt: monthStartIn(timeZone, at),
    endsAt: nextMonthIn(timeZone, at),
  };
  periods.set(timeZone, period);
  return period;
}
