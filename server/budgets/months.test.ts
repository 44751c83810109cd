import { expect, it } from "vitest";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { monthIn, monthStartIn, nextMonthIn } from "./months.ts";

it.each([
  ["UTC", Date.UTC(2026, 11, 1)],
  // 13 hours before UTC in summer.
  ["Pacific/Auckland", Date.UTC(2026, 10, 30, 11)],
  ["Pacific/Kiritimati", Date.UTC(2026, 10, 30, 10)],
  ["Pacific/Pago_Pago", Date.UTC(2026, 11, 1, 11)],
  ["Asia/Kathmandu", Date.UTC(2026, 10, 30, 18, 15)],
  // In November the clocks were set back.
  ["America/New_York", Date.UTC(2026, 11, 1, 5)],
  ["Somewhere/Unknown", Date.UTC(2026, 11, 1)],
])("the month of %s ends at its midnight", (timeZone, end) => {
  for (const at of [end - 1, end - 29 * 24 * HOUR]) {
    expect([monthIn(timeZone, at), nextMonthIn(timeZone, at)]).toEqual(["2026-11", end]);
  }
  expect(monthIn(timeZone, end)).toBe("2026-12");
  expect(monthIn(timeZone, nextMonthIn(timeZone, end))).toBe("2027-01");
  for (const at of [end, end + 1, nextMonthIn(timeZone, end) - 1]) expect(monthStartIn(timeZone, at)).toBe(end);
});

it("a month begins late if its first night has no midnight", () => {
  // In Paraguay the clocks were set forward at 00:00 on 1 October 2023.
  const begin = Date.UTC(2023, 9, 1, 4);
  expect(nextMonthIn("America/Asuncion", begin - MINUTE)).toBe(begin);
  expect(monthIn("America/Asuncion", begin - 1)).toBe("2023-09");
});
