import { beforeEach, expect, test } from "vitest";
import { placesKey, type ReadingPlace } from "./scroll-position.ts";
import { findPlace, setPlace, storePlaces } from "./stored-positions.ts";

const session = () => ({ account: "ada", places: new Map<string, ReadingPlace>() });

beforeEach(() => localStorage.clear());

test("where a chat was left is there on the next page, unless it was at its end", () => {
  const before = session();
  setPlace(before, "one", ["m1", 2, -14.5]);
  setPlace(before, "two", ["m2", -1, 0]);
  setPlace(before, "two", null);
  storePlaces(before);
  const after = session();
  expect(findPlace(after, "one")).toEqual(["m1", 2, -14.5]);
  expect(findPlace(after, "two")).toBeUndefined();
});

test("200 chats are remembered, those that were left last", () => {
  const now = session();
  for (let chat = 0; chat < 201; chat += 1) setPlace(now, `c${chat}`, ["m", -1, 0]);
  expect(findPlace(now, "c0")).toBeUndefined();
  expect(findPlace(now, "c1")).toBeDefined();
  expect(now.places.size).toBe(200);
});

test.each(["{", "{}", '[["a",["m","x",1]]]', '[["a"]]'])(
  "what is no list of places counts for nothing: %s",
  (stored) => {
    localStorage.setItem(placesKey("ada"), stored);
    expect(findPlace(session(), "a")).toBeUndefined();
  },
);
