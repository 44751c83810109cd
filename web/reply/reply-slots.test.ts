import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeBrowser, FakePage } from "../testing/fake-tabs.ts";
import { ReplySlots, type Slot } from "./reply-slots.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(tabCount: number) {
  const browser = new FakeBrowser();
  const tabs = Array.from({ length: tabCount }, () => {
    const page = new FakePage();
    return { page, slots: new ReplySlots(browser.tools(), page) };
  });
  /** Returns the final result of a tab's request for a slot. */
  const finish = async <T>(taking: Promise<T>): Promise<T> => {
    await vi.advanceTimersByTimeAsync(200);
    return taking;
  };
  const tab = (place: number) => {
    const found = tabs[place];
    if (!found) throw new Error("No such tab");
    return found;
  };
  return { tab, finish };
}

const isLost = (slot: Slot | null) => slot?.lost.aborted;

test("three tabs get one slot each, a fourth none until one is released", async () => {
  const { tab, finish } = setUp(4);
  const held = await finish(Promise.all([0, 1, 2].map((place) => tab(place).slots.tryTake())));
  expect(held.every((slot) => slot !== null)).toBe(true);
  expect(await finish(tab(3).slots.tryTake())).toBeNull();
  held[1]?.release();
  await finish(Promise.resolve());
  expect(await finish(tab(3).slots.tryTake())).not.toBeNull();
  expect(held.map(isLost)).toEqual([false, false, false]);
});

test("a hidden tab releases its slot first", async () => {
  const { tab, finish } = setUp(4);
  const held = await finish(Promise.all([0, 1, 2].map((place) => tab(place).slots.tryTake())));
  tab(2).page.show(false);
  const mine = await finish(tab(3).slots.take());
  expect(isLost(mine)).toBe(false);
  expect(held.map(isLost)).toEqual([false, false, true]);
});

test("if all tabs are visible, one slot is stolen", async () => {
  const { tab, finish } = setUp(4);
  const held = await finish(Promise.all([0, 1, 2].map((place) => tab(place).slots.tryTake())));
  const mine = await finish(tab(3).slots.take());
  expect(isLost(mine)).toBe(false);
  expect(held.filter(isLost)).toHaveLength(1);
});

test("a tab that holds all slots gives up its own oldest", async () => {
  const { tab, finish } = setUp(1);
  const { slots } = tab(0);
  const held = [await finish(slots.take()), await finish(slots.take()), await finish(slots.take())];
  const fourth = await finish(slots.take());
  expect(held.map(isLost)).toEqual([true, false, false]);
  expect(isLost(fourth)).toBe(false);
});

test("the end of the session releases all slots", async () => {
  const { tab, finish } = setUp(2);
  await finish(tab(0).slots.take());
  tab(0).slots.dispose();
  const others = [await finish(tab(1).slots.tryTake()), await finish(tab(1).slots.tryTake())];
  expect([...others, await finish(tab(1).slots.tryTake())].every((slot) => slot !== null)).toBe(true);
});
