import { beforeEach, expect, test, vi } from "vitest";
import { inTimeSlices } from "./time-slices.ts";

/** Takes so long by a clock of its own. */
const busy = (ms: number, done: () => void) => () => {
  vi.setSystemTime(Date.now() + ms);
  done();
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  vi.spyOn(performance, "now").mockImplementation(() => Date.now());
  return () => {
    vi.runAllTimers();
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
});

test("little work is done at once", () => {
  const done = vi.fn();
  inTimeSlices(busy(1, done));
  expect(done).toHaveBeenCalledOnce();
});

test("I9 much work is done in turn, a slice in each task, and what is let be is not done", () => {
  const done: number[] = [];
  const leave = Array.from({ length: 10 }, (_, at) => inTimeSlices(busy(20, () => done.push(at))));
  expect(done).toEqual([0, 1]);
  leave[3]?.();
  vi.runOnlyPendingTimers();
  expect(done).toEqual([0, 1, 2, 4]);
  vi.runAllTimers();
  expect(done).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9]);
});

test("what comes when the last of those before took a whole slice has its turn too", () => {
  const done = vi.fn();
  inTimeSlices(busy(50, () => undefined));
  inTimeSlices(busy(50, () => undefined));
  vi.runAllTimers();
  inTimeSlices(done);
  vi.runAllTimers();
  expect(done).toHaveBeenCalledOnce();
});

test("what fails holds up nothing", () => {
  const done = vi.fn();
  inTimeSlices(busy(50, () => undefined));
  inTimeSlices(() => {
    throw new Error("once");
  });
  inTimeSlices(busy(1, done));
  expect(() => vi.runOnlyPendingTimers()).toThrow("once");
  vi.runAllTimers();
  expect(done).toHaveBeenCalledOnce();
});
