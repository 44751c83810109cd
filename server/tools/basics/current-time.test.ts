import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY, HOUR } from "#contract/limits.ts";
import { ToolInputError } from "../tool-input-error.ts";
import { convertTime, currentTime } from "./current-time.ts";

const now = Date.UTC(2026, 10, 28, 22, 20, 5, 678);

describe("the current time", () => {
  it.each([
    ["Europe/Berlin", "Saturday, 2026-11-28, 23:20:05 in Europe/Berlin (UTC+01:00)"],
    ["america/new_york", "Saturday, 2026-11-28, 17:20:05 in America/New_York (UTC-05:00)"],
    ["Asia/Kathmandu", "Sunday, 2026-11-29, 04:05:05 in Asia/Kathmandu (UTC+05:45)"],
    [" UTC ", "Saturday, 2026-11-28, 22:20:05 in UTC (UTC+00:00)"],
    ["+05:30", "Sunday, 2026-11-29, 03:50:05 in +05:30 (UTC+05:30)"],
  ])("the current time in %s has weekday, date, time and offset", (zone, expected) => {
    expect(currentTime(now, zone)).toBe(expected);
  });

  it("midnight is written as 00:00", () => {
    expect(currentTime(Date.UTC(2026, 0, 1), "UTC")).toBe("Thursday, 2026-01-01, 00:00:00 in UTC (UTC+00:00)");
  });

  it.each(["", " ", "Berlin", "x".repeat(100_000), "../../etc/passwd"])(
    "an unknown time zone is refused with a sentence for the model (%#)",
    (zone) => {
      expect(() => currentTime(now, zone)).toThrow(ToolInputError);
      expect(() => currentTime(now, zone)).toThrow(/^The time zone is not known\. Use a name of the IANA database/);
    },
  );
});

describe("a time in another time zone", () => {
  const convert = (time: string, from = "Europe/Berlin", to = "America/New_York") =>
    convertTime(now, { time, from, to });

  it.each([
    [
      "2026-07-01 09:30",
      "Wednesday, 2026-07-01, 09:30:00 in Europe/Berlin (UTC+02:00) is Wednesday, 2026-07-01, 03:30:00 in America/New_York (UTC-04:00)",
    ],
    [
      "9:30",
      "Saturday, 2026-11-28, 09:30:00 in Europe/Berlin (UTC+01:00) is Saturday, 2026-11-28, 03:30:00 in America/New_York (UTC-05:00)",
    ],
    [
      "2026-12-31",
      "Thursday, 2026-12-31, 00:00:00 in Europe/Berlin (UTC+01:00) is Wednesday, 2026-12-30, 18:00:00 in America/New_York (UTC-05:00)",
    ],
    [
      "2026-07-01T09:30:15.123Z",
      "Wednesday, 2026-07-01, 09:30:15 in UTC (UTC+00:00) is Wednesday, 2026-07-01, 05:30:15 in America/New_York (UTC-04:00)",
    ],
    [
      "2026-07-01 09:30 +05:30",
      "Wednesday, 2026-07-01, 09:30:00 in +05:30 (UTC+05:30) is Wednesday, 2026-07-01, 00:00:00 in America/New_York (UTC-04:00)",
    ],
  ])("%s is converted", (time, expected) => {
    expect(convert(time)).toBe(expected);
  });

  it("a time without a date is of today in its own zone", () => {
    expect(convert("08:00", "Asia/Tokyo", "UTC")).toContain("2026-11-29, 08:00:00 in Asia/Tokyo");
  });

  it("a time that clocks show twice is converted twice, the earlier one first", () => {
    expect(convert("2026-10-25 02:30", "Europe/Berlin", "UTC").split("\n")).toEqual([
      expect.stringContaining("(UTC+02:00) is Sunday, 2026-10-25, 00:30:00"),
      expect.stringContaining("(UTC+01:00) is Sunday, 2026-10-25, 01:30:00"),
    ]);
  });

  it("a time that clocks skip is refused", () => {
    const skipped = "This time does not exist in Europe/Berlin: clocks are set forward then.";
    expect(() => convert("2026-03-29 02:30")).toThrow(skipped);
    expect(() => convert("2011-12-30 12:00", "Pacific/Apia")).toThrow(/does not exist in Pacific\/Apia/);
  });

  it.each([
    "",
    "noon",
    "2026-02-30",
    "2026-04-31 10:00",
    "25:00",
    "24:00",
    "10:60",
    "2026-1-1",
    "10:00 Berlin",
    "0001-01-01",
    "9".repeat(100_000),
  ])("a time that cannot be read is refused with an example (%#)", (time) => {
    expect(() => convert(time)).toThrow(ToolInputError);
    expect(() => convert(time)).toThrow(/^The time cannot be read\. Write it like/);
  });

  it("a time converted there and back is the same", () => {
    const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Auckland", "Asia/Kolkata");
    const hours = fc.integer({ min: 0, max: (90 * 365 * DAY) / HOUR });
    fc.assert(
      fc.property(hours, zones, zones, (hour, from, to) => {
        const time = new Date(hour * HOUR).toISOString();
        const there = / is \w+, (\S+), (\S+) in (?:\S+) \(UTC(\S+)\)$/.exec(convert(time, "UTC", from));
        const [, date, clock, offset] = there ?? [];
        const back = convert(`${date} ${clock}${offset}`, to, "UTC");
        expect(back).toMatch(new RegExp(` is \\w+, ${time.slice(0, 10)}, ${time.slice(11, 19)} in UTC`));
      }),
    );
  });
});
