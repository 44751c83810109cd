import { expect, test } from "vitest";
import { groupChatsByDay } from "./day-groups.ts";

const words = { today: "Today", yesterday: "Yesterday", week: "Previous 7 days" };
const now = new Date(2026, 2, 30, 0, 30).getTime();
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();

function groupsOf(...times: number[]) {
  const chats = times.map((updatedAt, i) => ({ id: String(i), title: "", updatedAt }));
  return groupChatsByDay(chats, now, words, "en").map(({ label, chats: grouped }) => [
    label,
    grouped.map(({ id }) => id).join(""),
  ]);
}

test("groups chats by local days, in their order", () => {
  expect(
    groupsOf(
      at(2026, 2, 30, 0, 10),
      at(2026, 2, 29, 23, 50),
      at(2026, 2, 29, 0, 1),
      at(2026, 2, 28, 12, 0),
      at(2026, 2, 22, 0, 1),
      at(2026, 2, 21, 23, 59),
      at(2026, 1, 3, 12, 0),
      at(2025, 11, 31, 12, 0),
      at(2025, 2, 3, 12, 0),
    ),
  ).toEqual([
    ["Today", "0"],
    ["Yesterday", "12"],
    ["Previous 7 days", "34"],
    ["March", "5"],
    ["February", "6"],
    ["December 2025", "7"],
    ["March 2025", "8"],
  ]);
});

test("groups a time ahead of this clock under today", () => {
  expect(groupsOf(now + 90_000_000)).toEqual([["Today", "0"]]);
});

test("returns no groups without chats", () => {
  expect(groupsOf()).toEqual([]);
});
