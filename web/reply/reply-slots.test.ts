import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeBrowser, FakePage } from "../testing/fakes/fake-tabs.ts";
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
  const tab = (index: number) => {
    const found = tabs[index];
    if (!found) throw new Error("No such tab");
    return found;
  };
  return { tab, finish };
}

const isLost = (slot: Slot | null) => slot?.lost.aborted;

test("three tabs get one slot each, a fourth none until one is released", async () => {
  const { tab, finish } = setUp(4);
  const held = await finish(Promise.all([0, 1, 2].map((index) => tab(index).slots.tryTake())));
  expect(held.every((slot) => slot !== null)).toBe(true);
  expect(await finish(tab(3).slots.tryTake())).toBeNull();
  held[1]?.release();
  await finish(Promise.resolve());
  expect(await finish(tab(3).slots.tryTake())).not.toBeNull();
  expect(held.map(isLost)).toEqual([false, false, false]);
});

test("a hidden tab releases its slot first", async () => {
  const { tab, finish } = setUp(4);
  const held = await finish(Promise.all([0, 1, 2].map((index) => tab(index).slots.tryTake())));
  tab(2).page.show(false);
  const mine = await finish(tab(3).slots.take());
  expect(isLost(mine)).toBe(false);
  expect(held.map(isLost)).toEqual([false, false, true]);
});

test("one slot is stolen if all tabs are visible", async () => {
  const { tab, finish } = setUp(4);
  const held = await finish(Promise.all([0, 1, 2].map((index) => tab(index).slots.tryTake())));
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

test("a tab that holds all slots stays within the limit, however many it takes", async () => {
  const { tab, finish } = setUp(2);
  const held: Slot[] = [];
  for (let count = 0; count < 6; count += 1) held.push(await finish(tab(0).slots.take()));
  expect(held.map(isLost)).toEqual([true, true, true, false, false, false]);
  expect(await finish(tab(1).slots.tryTake())).toBeNull();
  // The fourth slot is limited too: it is the oldest now.
  await finish(tab(0).slots.take());
  expect(held.map(isLost)).toEqual([true, true, true, true, false, false]);
  held[4]?.release();
  await finish(Promise.resolve());
  expect(await finish(tab(1).slots.tryTake())).not.toBeNull();
});

test("concurrent requests of a tab that holds all slots stay within the limit", async () => {
  const { tab, finish } = setUp(1);
  const { slots } = tab(0);
  const held: Slot[] = [];
  for (let count = 0; count < 3; count += 1) held.push(await finish(slots.take()));
  held.push(...(await finish(Promise.all([slots.take(), slots.take(), slots.take()]))));
  expect(held.filter((slot) => !isLost(slot)).length).toBeLessThanOrEqual(3);
});

test("a browser that refuses locks does not limit slots", async () => {
  const locks = { request: () => Promise.reject(new DOMException("refused", "SecurityError")) };
  const slots = new ReplySlots({ ...new FakeBrowser().tools(), locks }, new FakePage());
  const taking = slots.take();
  await vi.advanceTimersByTimeAsync(200);
  expect(isLost(await taking)).toBe(false);
});

test("the end of the session releases all slots", async () => {
  const { tab, finish } = setUp(2);
  await finish(tab(0).slots.take());
  tab(0).slots.dispose();
  const others = [await finish(tab(1).slots.tryTake()), await finish(tab(1).slots.tryTake())];
  expect([...others, await finish(tab(1).slots.tryTake())].every((slot) => slot !== null)).toBe(true);
});
