import { beforeEach, expect, test } from "vitest";
import { positionsKey, type ScrollPosition } from "./scroll-position.ts";
import { findPosition, setPosition, storePositions } from "./stored-positions.ts";

const session = () => ({ account: "ada", positions: new Map<string, ScrollPosition>() });

beforeEach(() => localStorage.clear());

test("a scroll position is stored for the next page, unless the chat was left at its end", () => {
  const before = session();
  setPosition(before, "one", ["m1", 2, -14.5]);
  setPosition(before, "two", ["m2", -1, 0]);
  setPosition(before, "two", null);
  storePositions(before);
  const after = session();
  expect(findPosition(after, "one")).toEqual(["m1", 2, -14.5]);
  expect(findPosition(after, "two")).toBeUndefined();
});

test("scroll positions of the 200 chats that were left last are stored", () => {
  const now = session();
  for (let chat = 0; chat < 201; chat += 1) setPosition(now, `c${chat}`, ["m", -1, 0]);
  expect(findPosition(now, "c0")).toBeUndefined();
  expect(findPosition(now, "c1")).toBeDefined();
  expect(now.positions.size).toBe(200);
});

test.each(["{", "{}", '[["a",["m","x",1]]]', '[["a"]]'])(
  "ignores stored text that is not a list of scroll positions: %s",
  (stored) => {
    localStorage.setItem(positionsKey("ada"), stored);
    expect(findPosition(session(), "a")).toBeUndefined();
  },
);
