import { expect, test } from "vitest";
import type { SecurityEvent } from "#contract/accounts/sessions.ts";
import { HOUR } from "#contract/limits.ts";
import { groupEventsByDay } from "./by-day.ts";

const words = { today: "Today", yesterday: "Yesterday" };
const noon = new Date(2026, 2, 11, 12).getTime();
const event = (at: number): SecurityEvent => ({
  id: String(at),
  kind: "signed-in",
  at,
  browser: "",
  system: "",
  ip: "",
});
const labels = (...times: number[]) =>
  groupEventsByDay(times.map(event), noon, words, "en").map(({ label, events }) => [label, events.length]);

test("groups events by the reader's days, with the weekday in the labels of the last seven days", () => {
  const on = (year: number, month: number, day: number) => new Date(year, month, day, 8).getTime();
  expect(
    labels(noon - HOUR, on(2026, 2, 11), on(2026, 2, 10), on(2026, 2, 7), on(2026, 1, 2), on(2025, 11, 31)),
  ).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
    ["Saturday, March 7", 1],
    ["February 2", 1],
    ["December 31, 2025", 1],
  ]);
});

test("an event in the future counts as today if the client's clock is behind the server's", () => {
  expect(labels(noon + 20 * HOUR)).toEqual([["Today", 1]]);
});
