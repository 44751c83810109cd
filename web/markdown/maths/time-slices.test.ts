import { beforeEach, expect, test, vi } from "vitest";
import { inTimeSlices } from "./time-slices.ts";

/** Work that takes `ms` on the fake clock. */
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

test("runs short work synchronously", () => {
  const done = vi.fn();
  inTimeSlices(busy(1, done));
  expect(done).toHaveBeenCalledOnce();
});

test("I9 runs much work in order, one slice in each task, and does not run cancelled work", () => {
  const done: number[] = [];
  const leave = Array.from({ length: 10 }, (_, at) => inTimeSlices(busy(20, () => done.push(at))));
  expect(done).toEqual([0, 1]);
  leave[3]?.();
  vi.runOnlyPendingTimers();
  expect(done).toEqual([0, 1, 2, 4]);
  vi.runAllTimers();
  expect(done).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9]);
});

test("runs work that is queued after the last work used up a whole slice", () => {
  const done = vi.fn();
  inTimeSlices(busy(50, () => undefined));
  inTimeSlices(busy(50, () => undefined));
  vi.runAllTimers();
  inTimeSlices(done);
  vi.runAllTimers();
  expect(done).toHaveBeenCalledOnce();
});

test("runs the queued work after work that throws", () => {
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
