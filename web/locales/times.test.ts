import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { TIME_MAX } from "#contract/times.ts";
import { exactTime, longDate, timeAgo, timeOfDay } from "./times.ts";

test.each([
  [-5 * MINUTE, null],
  [59 * SECOND, null],
  [MINUTE, "1 minute ago"],
  [HOUR - 1, "59 minutes ago"],
  [5 * HOUR, "5 hours ago"],
  [DAY, "yesterday"],
  [29 * DAY, "29 days ago"],
  [100 * DAY, "3 months ago"],
  [800 * DAY, "2 years ago"],
])("an age of %d ms is %s", (age, words) => {
  expect(timeAgo(1_000_000_000_000, 1_000_000_000_000 + age, "en")).toBe(words);
});

test.each(Object.entries({ exactTime, timeOfDay, longDate }))(
  "%s formats the latest time, and a number that is no time as nothing",
  (_, format) => {
    expect(format(TIME_MAX, "en")).not.toBe("");
    for (const at of [TIME_MAX + 1, Number.NaN, Number.POSITIVE_INFINITY]) expect(format(at, "en")).toBe("");
  },
);
