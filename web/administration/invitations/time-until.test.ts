import { expect, test } from "vitest";
import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { timeUntil } from "./time-until.ts";

test.each([
  [1, "in 1 minute"],
  [59 * MINUTE + 40 * SECOND, "in 1 hour"],
  [90 * MINUTE, "in 2 hours"],
  [DAY - MINUTE, "in 1 day"],
  [7 * DAY - SECOND, "in 7 days"],
  [90 * DAY, "in 90 days"],
])("a time %i ms ahead is worded as %s", (left, words) => expect(timeUntil(1000 + left, 1000, "en")).toBe(words));

test("a time ahead is worded in the reader's language", () => expect(timeUntil(5 * DAY, 0, "de")).toBe("in 5 Tagen"));
