import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { ToolInputError } from "../tool-input-error.ts";

/** No name of a time zone is longer. */
const ZONE_MAX = 64;
const DATE = /^(?<date>[1-9]\d{3}-\d\d-\d\d)(?:[T ]+|$)/i;
const CLOCK = /^(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d{1,9})?)? ?/;
const FIELDS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
} as const;
const OFFSET = /^(?:Z|UTC|[+-]\d\d:?\d\d)?$/i;

/** A time zone with the name by which it was asked for: engines replace some, such as Asia/Kathmandu, by older ones. */
type Zone = { name: string; formatter: Intl.DateTimeFormat };

/** `local`: the time that clocks of the zone show, as if it were of UTC. */
type ZonedTime = { at: number; local: number; zone: string };

/**
 * Returns weekday, date, time and UTC offset in a time zone, such as `Saturday, 2026-11-28, 23:20:05 in Europe/Berlin
 * (UTC+01:00)`.
 * @param now Unix time in ms
 * @param zone a name of the IANA database, or an offset such as `+05:30`
 * @throws ToolInputError
 */
export function currentTime(now: number, zone: string): string {
  return sentenceOf(zonedTimeOf(now, zoneOf(zone)));
}

/** `time`: `2026-11-28 09:30`, or `09:30` of today in `from`. An offset at its end is stronger than `from`. */
export type TimeConversion = { time: string; from: string; to: string };

/**
 * Converts a local time between time zones. Clocks that are set back show some times twice: then both are returned, a
 * line each.
 * @param now Unix time in ms; gives the date of a time without one
 * @throws ToolInputError also for a time that clocks skip
 */
export function convertTime(now: number, { time, from, to }: TimeConversion): string {
  const [entered, target] = [parseTime(time), zoneOf(to)];
  const source = zoneOf(entered.offset ?? from);
  const date = entered.date ?? isoOf(zonedTimeOf(now, source).local).date;
  const local = Date.parse(`${date}T${entered.clock}Z`);
  // Some engines read the 31st of April as the 1st of May.
  if (!Number.isFinite(local) || isoOf(local).date !== date) throw new ToolInputError(UNREADABLE);
  const times = timesOf(local, source);
  const [first] = times;
  if (!first) {
    throw new ToolInputError(`This time does not exist in ${source.name}: clocks are set forward then.`);
  }
  return times.map((each) => `${sentenceOf(each)} is ${sentenceOf(zonedTimeOf(each.at, target))}`).join("\n");
}

const UNREADABLE = "The time cannot be read. Write it like 2026-11-28 09:30, or 09:30 for today.";

type EnteredTime = { date: string | undefined; clock: string; offset: string | undefined };

/** Splits a written time; `clock` has hours, minutes and seconds. @throws ToolInputError */
function parseTime(written: string): EnteredTime {
  const text = written.length > ZONE_MAX ? "" : written.trim();
  const [whole = "", date] = DATE.exec(text) ?? [];
  const afterDate = text.slice(whole.length);
  const [shown = "", hour = "00", minute = "00", second = "00"] = CLOCK.exec(afterDate) ?? [];
  const offset = afterDate.slice(shown.length);
  if ((date === undefined && shown === "") || !OFFSET.test(offset)) throw new ToolInputError(UNREADABLE);
  const zone = /^Z$/i.test(offset) ? "UTC" : offset;
  return { date, clock: `${hour.padStart(2, "0")}:${minute}:${second}`, offset: zone === "" ? undefined : zone };
}

function zoneOf(written: string): Zone {
  const timeZone = written.trim();
  try {
    if (timeZone.length > ZONE_MAX) throw new RangeError("too long");
    const formatter = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", { ...FIELDS, timeZone });
    const canonical = formatter.resolvedOptions().timeZone;
    const isSame = canonical.toLowerCase() === timeZone.toLowerCase();
    return { name: isSame ? canonical : timeZone, formatter };
  } catch (error) {
    const sentence = "The time zone is not known. Use a name of the IANA database, such as Europe/Berlin, or UTC.";
    throw new ToolInputError(sentence, { cause: error });
  }
}

function zonedTimeOf(at: number, { name, formatter }: Zone): ZonedTime {
  const parts = new Map(formatter.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const numberOf = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const day = [numberOf("year"), numberOf("month") - 1, numberOf("day")] as const;
  const local = Date.UTC(...day, numberOf("hour"), numberOf("minute"), numberOf("second"));
  return { at, local, zone: name };
}

/** Returns the times at which clocks show a local time: one, or none or two at a change of the offset. */
function timesOf(local: number, zone: Zone): ZonedTime[] {
  const offsets = [-DAY, DAY].map((distance) => offsetOf(zonedTimeOf(local + distance, zone)));
  return [...new Set(offsets)]
    .map((offset) => zonedTimeOf(local - offset, zone))
    .filter((time) => time.local === local)
    .sort((a, b) => a.at - b.at);
}

/** Returns the difference to UTC in ms. */
const offsetOf = ({ at, local }: ZonedTime) => local - Math.floor(at / SECOND) * SECOND;

const isoOf = (local: number) => {
  const iso = new Date(local).toISOString();
  return { date: iso.slice(0, 10), time: iso.slice(11, 19) };
};

const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });

function sentenceOf(time: ZonedTime): string {
  const { local, zone } = time;
  const iso = isoOf(local);
  return `${weekday.format(local)}, ${iso.date}, ${iso.time} in ${zone} (${writtenOffset(offsetOf(time))})`;
}

function writtenOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const written = [Math.floor(minutes / 60), minutes % 60].map((each) => `${each}`.padStart(2, "0")).join(":");
  return `UTC${offset < 0 ? "-" : "+"}${written}`;
}
